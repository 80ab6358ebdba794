import { createHash, randomBytes } from 'node:crypto';
import type { StateError } from './errors.ts';
import type { Json } from './json.ts';

export type Answer = { output: Json } | { error: StateError };

/** An open task token, as the waiting state holds it. */
export interface Callback {
  token: string;
  /** Never rejects: an answer may come before anybody waits for it. */
  answer: Promise<Answer>;
  /** Called with every heartbeat. */
  onHeartbeat?: () => void;
  /** The state is over; whoever answers now is too late. */
  close(): void;
}

interface OpenCallback extends Callback {
  settle: (answer: Answer) => void;
}

/** Which tokens of `.waitForTaskToken` states are open. */
export class Callbacks {
  private readonly open_ = new Map<string, OpenCallback>();

  open(): Callback {
    const token = mintToken();
    let settle!: (answer: Answer) => void;
    const answer = new Promise<Answer>((resolve) => (settle = resolve));
    const callback: OpenCallback = { token, answer, settle, close: () => void this.open_.delete(token) };
    this.open_.set(token, callback);
    return callback;
  }

  answer(token: string, answer: Answer): 'answered' | 'closed' | 'invalid' {
    const callback = this.open_.get(token);
    if (!callback) return isToken(token) ? 'closed' : 'invalid';
    // Spent at once: a second answer must find it closed even if the state has not gone on yet.
    callback.close();
    callback.settle(answer);
    return 'answered';
  }

  heartbeat(token: string): 'answered' | 'closed' | 'invalid' {
    const callback = this.open_.get(token);
    if (!callback) return isToken(token) ? 'closed' : 'invalid';
    callback.onHeartbeat?.();
    return 'answered';
  }
}

/** A token says by itself that it was one, so that an old one can be told from garbage without keeping a list. */
const mintToken = (): string => {
  const body = randomBytes(48).toString('base64url');
  return body + checksum(body);
};

const isToken = (token: string): boolean => {
  const body = token.slice(0, -CHECKSUM_LENGTH);
  return token.slice(-CHECKSUM_LENGTH) === checksum(body);
};

const CHECKSUM_LENGTH = 16;
const checksum = (body: string): string =>
  createHash('sha256').update(body).digest('base64url').slice(0, CHECKSUM_LENGTH);

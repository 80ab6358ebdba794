import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** Operators' side of an error: what the caller is never shown. */
export interface Log {
  warn(message: string, details: Record<string, unknown>): void;
  error(message: string, details: Record<string, unknown>): void;
}

export class InvalidParams extends ProtocolError {
  constructor(message: string) {
    super(ProtocolErrorCode.InvalidParams, message);
  }
}

/** Another tenant's task, an expired one and one that never was read the same. SEP-2663 asks for -32602. */
export class UnknownTask extends InvalidParams {
  constructor() {
    super('Unknown task: no such task id, or the task has expired.');
  }
}

export class UnknownTool extends InvalidParams {
  constructor(name: string) {
    super(`Unknown tool: ${name}. tools/list names the tools there are.`);
  }
}

/** Not the caller's doing, and over before long. A client that waits a little and asks again will be served. */
export class TryAgain extends ProtocolError {
  constructor(message: string) {
    super(ProtocolErrorCode.InternalError, message, { retryAfterMs: 2_000 });
  }
}

/**
 * The one place where an error becomes an answer. Protocol errors are meant for the caller and pass; of
 * anything else the caller learns only that it was not their doing.
 */
export const answerErrors =
  (log: Log) =>
  <Args extends unknown[], Answer>(handle: (...args: Args) => Promise<Answer>) =>
  async (...args: Args): Promise<Answer> => {
    try {
      return await handle(...args);
    } catch (error) {
      if (ProtocolError.isInstance(error)) throw error;
      log.error('Request failed', { error });
      throw new TryAgain(
        'Internal error. Try again in a moment; if it stays, tell the operator when it happened.',
      );
    }
  };

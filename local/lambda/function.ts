import { randomUUID } from 'node:crypto';
import type { WorkerData } from './protocol.ts';
import { Sandbox, type Outcome } from './sandbox.ts';

/** Of a synchronous invocation's response. */
const MAX_PAYLOAD_BYTES = 6_291_556;

export interface LambdaFunctionOptions {
  timeoutMs: number;
  data: WorkerData;
  env: Record<string, string>;
  log: (line: string) => void;
}

export interface InvokeOptions {
  /** Receives what a streaming handler writes. */
  onChunk?: (data: Uint8Array) => void;
  onEnd?: () => void;
  /** Whoever waits for the stream is gone. */
  signal?: AbortSignal;
}

/** A Lambda function. Starts its sandbox with the first invocation, and another one after a crash or a timeout. */
export class LambdaFunction {
  private sandbox?: Sandbox;
  private readonly sandboxes = new Set<Sandbox>();
  private closed = false;

  constructor(private readonly options: LambdaFunctionOptions) {}

  /** @param event anything JSON can say */
  async invoke(event: unknown, { onChunk, onEnd, signal }: InvokeOptions = {}): Promise<Outcome> {
    const id = randomUUID();
    const sandbox = this.warmSandbox();
    // The init phase is not part of the function's timeout.
    const initError = await sandbox.ready;
    if (initError) return { error: initError };

    const { timeoutMs } = this.options;
    const deadline = Date.now() + timeoutMs;
    const timer = setTimeout(() => sandbox.abandon(id, timedOut(id, timeoutMs)), timeoutMs);
    const cancel = (): void => sandbox.cancel(id);
    const outcome = sandbox.invoke({ id, event: JSON.stringify(event), deadline, onChunk, onEnd });
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return limitPayload(await outcome);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.sandboxes].map((sandbox) => sandbox.terminate()));
  }

  private warmSandbox(): Sandbox {
    if (this.closed) throw new Error('The engine is closed.');
    if (this.sandbox) return this.sandbox;
    const { data, env, log } = this.options;
    const sandbox: Sandbox = new Sandbox({
      data,
      env,
      log,
      onGone: () => {
        if (this.sandbox === sandbox) this.sandbox = undefined;
      },
      onExit: () => this.sandboxes.delete(sandbox),
    });
    this.sandboxes.add(sandbox);
    this.sandbox = sandbox;
    return sandbox;
  }
}

const timedOut = (id: string, timeoutMs: number) => ({
  errorType: 'Sandbox.Timedout',
  errorMessage: `RequestId: ${id} Error: Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`,
});

const limitPayload = (outcome: Outcome): Outcome =>
  'payload' in outcome && Buffer.byteLength(outcome.payload) > MAX_PAYLOAD_BYTES
    ? {
        error: {
          errorType: 'Function.ResponseSizeTooLarge',
          errorMessage: `Response payload size exceeded maximum allowed payload size (${MAX_PAYLOAD_BYTES} bytes).`,
        },
      }
    : outcome;

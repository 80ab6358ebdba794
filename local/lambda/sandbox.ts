import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { FromWorker, FunctionError, ToWorker, WorkerData } from './protocol.ts';

/** How an invocation ended: a payload in JSON, or an error. */
export type Outcome = { payload: string } | { error: FunctionError };

export interface Invocation {
  id: string;
  event: string;
  deadline: number;
  onChunk?: (data: Uint8Array) => void;
  onEnd?: () => void;
}

interface Pending extends Invocation {
  settle: (outcome: Outcome) => void;
}

export interface SandboxOptions {
  data: WorkerData;
  env: Record<string, string>;
  log: (line: string) => void;
  /** Called once, when the worker will take no more invocations. */
  onGone: () => void;
  /** Called once, when the worker has ended. */
  onExit: () => void;
}

/** One execution environment: a worker thread with the function's bundle and the function's environment in it. */
export class Sandbox {
  /** Resolves after the cold start, with the error if the bundle could not be loaded. */
  readonly ready: Promise<FunctionError | undefined>;
  private readonly worker: Worker;
  private readonly pending = new Map<string, Pending>();
  private finishInit: (error?: FunctionError) => void = () => {};
  private retired = false;

  constructor(private readonly options: SandboxOptions) {
    this.ready = new Promise((resolve) => {
      this.finishInit = resolve;
    });
    this.worker = new Worker(join(import.meta.dirname, 'runtime.mjs'), {
      workerData: options.data,
      env: options.env,
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    this.worker.on('message', (message: FromWorker) => this.receive(message));
    this.worker.on('error', (error: Error) => this.fail(fromUncaught(error)));
    this.worker.on('exit', (code) => {
      const errorMessage = `Runtime exited with error: exit status ${code}`;
      this.fail({ errorType: 'Runtime.ExitError', errorMessage });
      options.onExit();
    });
    for (const output of [this.worker.stdout, this.worker.stderr]) eachLine(output, options.log);
  }

  invoke(invocation: Invocation): Promise<Outcome> {
    return new Promise((settle) => {
      this.pending.set(invocation.id, { ...invocation, settle });
      const { id, event, deadline } = invocation;
      this.post({ type: 'invoke', id, event, deadline });
    });
  }

  cancel(id: string): void {
    this.post({ type: 'cancel', id });
  }

  /** Gives an invocation up. What it still does is its own; the worker ends when its other invocations have. */
  abandon(id: string, error: FunctionError): void {
    this.settle(id, { error });
    this.retire();
  }

  async terminate(): Promise<void> {
    await this.worker.terminate();
  }

  private post(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private receive(message: FromWorker): void {
    switch (message.type) {
      case 'ready':
        return this.finishInit();
      case 'init-error':
        this.finishInit(message.error);
        return this.retire();
      case 'chunk':
        return this.pending.get(message.id)?.onChunk?.(message.data);
      case 'end':
        return this.pending.get(message.id)?.onEnd?.();
      case 'result':
        return this.settle(message.id, { payload: message.payload });
      case 'error':
        return this.settle(message.id, { error: message.error });
    }
  }

  private settle(id: string, outcome: Outcome): void {
    this.pending.get(id)?.settle(outcome);
    this.pending.delete(id);
    if (this.retired && this.pending.size === 0) void this.worker.terminate();
  }

  private retire(): void {
    if (!this.retired) this.options.onGone();
    this.retired = true;
    if (this.pending.size === 0) void this.worker.terminate();
  }

  private fail(error: FunctionError): void {
    this.finishInit(error);
    for (const id of [...this.pending.keys()]) this.settle(id, { error });
    this.retire();
  }
}

const fromUncaught = (error: Error): FunctionError => ({
  errorType: error.name ?? 'Runtime.Unknown',
  errorMessage: error.message ?? String(error),
  trace: error.stack?.split('\n') ?? [],
});

const eachLine = (input: Readable, log: (line: string) => void): void => {
  createInterface({ input }).on('line', log);
};

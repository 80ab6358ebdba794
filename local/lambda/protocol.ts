/**
 * What the engine and a function's worker say to each other. One worker has many invocations under way; `id` tells
 * them apart. Events and results cross as JSON text, as they do on AWS.
 */
export type ToWorker =
  | { type: 'invoke'; id: string; event: string; deadline: number }
  /** Whoever listened to the stream is gone. */
  | { type: 'cancel'; id: string };

export type FromWorker =
  /** The bundle is loaded: the cold start is over. */
  | { type: 'ready' }
  | { type: 'init-error'; error: FunctionError }
  | { type: 'result'; id: string; payload: string }
  | { type: 'error'; id: string; error: FunctionError }
  | { type: 'stream-start'; id: string }
  | { type: 'chunk'; id: string; data: Uint8Array }
  | { type: 'end'; id: string };

export interface WorkerData {
  /** The bundle. */
  file: string;
  /** The name its handler is exported by. */
  handler: string;
  functionName: string;
  functionArn: string;
  memoryLimitInMB: string;
}

/** The payload of an invocation with FunctionError set, as Lambda gives it. */
export interface FunctionError {
  errorType: string;
  errorMessage: string;
  trace?: string[];
}

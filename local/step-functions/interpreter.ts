import { ExecutionError, StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import type { Json } from './json.ts';

// aws-local-stepfunctions is made for Node 22; this is all it takes from it that Node 20 lacks.
(Promise as { withResolvers?: unknown }).withResolvers ??= <T>() => {
  let resolve!: (value: T | PromiseLike<T>) => void;
  let reject!: (reason?: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
};

export type Runnable = StateMachineDefinition;
export type Handlers = Record<string, (input: Json) => Promise<Json>>;

/**
 * The interpreter runs a Task for at most this long, since its timer is a plain setTimeout: 24.8 days. The timeouts
 * of the States Language are the engine's own.
 */
export const MAX_TASK_SECONDS = 2_147_483;

/** @throws if the definition is not valid States Language */
export const validate = (definition: unknown): void => {
  // Not the ARNs: the validator knows fewer of them than AWS has.
  new StateMachine(definition as Runnable, { validationOptions: { checkArn: false } });
};

/** Starts a run of the interpreter. Its `result` rejects with what the failing state threw. */
export const interpret = (runnable: Runnable, input: Json, handlers: Handlers, context: object) => {
  const run = new StateMachine(runnable, { validationOptions: { noValidate: true } }).run(input as never, {
    overrides: { taskResourceLocalHandlers: handlers as never },
    context: context as never,
  });
  const result: Promise<Json> = run.result.catch((error: unknown) => {
    throw error instanceof ExecutionError ? error.cause : error;
  });
  return { ...run, result };
};

let timeoutClass: Promise<new () => Error> | undefined;

/**
 * A timeout that `States.TaskFailed` does not match. The interpreter tells it by its class, which it does not
 * export, so the first call lets a task run into the interpreter's own timeout and keeps the class of that.
 */
export const timeoutError = async (name: 'States.Timeout' | 'States.HeartbeatTimeout'): Promise<Error> => {
  timeoutClass ??= interpret(
    {
      StartAt: 'Wait',
      States: { Wait: { Type: 'Task', Resource: 'local', TimeoutSeconds: 0.001, End: true } },
    },
    {},
    { Wait: () => new Promise<never>(() => {}) },
    {},
  ).result.then(
    () => Error,
    (error: Error) => error.constructor as new () => Error,
  );
  // AWS gives a timeout no cause.
  return Object.assign(new (await timeoutClass)(), { name, message: '' });
};

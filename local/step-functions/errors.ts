/** A state's failure. The interpreter matches `name` against Retry and Catch and hands `message` on as the Cause. */
export class StateError extends Error {
  readonly isRetryable: boolean;
  readonly isCatchable: boolean;

  /** @param terminal no catcher and no retrier applies, not even for States.ALL */
  constructor(name: string, cause: string, { terminal = false } = {}) {
    super(cause);
    this.name = name;
    this.isRetryable = !terminal;
    this.isCatchable = !terminal;
  }
}

/**
 * A path that leads nowhere, an integration that does not exist, and the like. "States.ALL … can't catch the
 * States.DataLimitExceeded terminal error or Runtime error types"
 * (https://docs.aws.amazon.com/step-functions/latest/dg/concepts-error-handling.html).
 */
export const runtimeError = (cause: string): StateError =>
  new StateError('States.Runtime', cause, { terminal: true });

export const intrinsicFailure = (cause: string): StateError =>
  new StateError('States.IntrinsicFailure', cause);

/** The execution is over: whatever a state still wanted to do must not happen. */
export const executionEnded = (): StateError =>
  new StateError('Local.ExecutionEnded', 'The execution has ended.', { terminal: true });

/** Bytes of UTF-8, of a state's input, output or result, and of an execution's input. */
export const MAX_PAYLOAD_BYTES = 262_144;

/** @throws States.DataLimitExceeded */
export const limitPayload = <T>(value: T, what: string): T => {
  if (Buffer.byteLength(JSON.stringify(value) ?? '') <= MAX_PAYLOAD_BYTES) return value;
  throw new StateError(
    'States.DataLimitExceeded',
    `${what} has a size exceeding the maximum number of bytes service limit.`,
    { terminal: true },
  );
};

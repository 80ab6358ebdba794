/**
 * How long AWS calls may take, in milliseconds. A call gets so long in all, retries included; an operation makes at
 * most five in a row (a repeated call with an idempotency key), so every request is answered before the API's 29 s.
 */
const CALL_MS = 4_500;
export const START_MS = 8_000;

/** @param ms of the whole call: when they are over it fails, and is not tried again. */
export const within = (ms = CALL_MS): { abortSignal: AbortSignal } => ({
  abortSignal: AbortSignal.timeout(ms),
});

/**
 * For a client: attempts are repeated with a growing, random delay (the SDK's standard mode). One attempt may take so
 * long; without a limit the SDK waits for a server that is gone as long as the socket lives.
 */
export const attempts = (maxAttempts: number) => ({
  maxAttempts,
  retryMode: 'standard',
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
});

import type { Callback } from '../callbacks.ts';
import { timeoutError } from '../interpreter.ts';
import { after, untilEnded } from '../timers.ts';
import type { StateRun } from './run-state.ts';

/** In seconds. */
export interface Timeouts {
  timeout?: number;
  heartbeat?: number;
}

/** Settles as `work` does, or fails with a timeout, or with the end of the execution. */
export const withTimeouts = async <T>(
  { timeout, heartbeat }: Timeouts,
  work: Promise<T>,
  { scope, callback }: StateRun,
): Promise<T> => {
  const timers: (() => void)[] = [];
  const expired = new Promise<never>((_, fail) => {
    const expire = (name: Parameters<typeof timeoutError>[0]) => (): void => {
      void timeoutError(name).then(fail);
    };
    if (timeout !== undefined) timers.push(after(timeout * 1000, expire('States.Timeout')));
    if (heartbeat !== undefined) {
      timers.push(watchHeartbeats(callback, heartbeat, expire('States.HeartbeatTimeout')));
    }
  });
  try {
    return await untilEnded(Promise.race([work, expired]), scope.signal);
  } finally {
    for (const cancel of timers) cancel();
  }
};

/** Expires when no heartbeat comes for so many seconds. Returns how to stop watching. */
const watchHeartbeats = (
  callback: Callback | undefined,
  seconds: number,
  expire: () => void,
): (() => void) => {
  let cancel = after(seconds * 1000, expire);
  if (callback) {
    callback.onHeartbeat = () => {
      cancel();
      cancel = after(seconds * 1000, expire);
    };
  }
  return () => cancel();
};

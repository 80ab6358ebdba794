import { executionEnded } from './errors.ts';

/** What setTimeout can wait for; beyond it, it fires at once. */
const MAX_DELAY_MS = 2_147_483_647;

/** Calls back after any number of milliseconds, days and months included. Returns how to call it off. */
export const after = (ms: number, callback: () => void): (() => void) => {
  let timer: NodeJS.Timeout;
  const arm = (left: number): void => {
    const step = Math.min(Math.max(left, 0), MAX_DELAY_MS);
    timer = setTimeout(() => (left > step ? arm(left - step) : callback()), step);
  };
  arm(ms);
  return () => clearTimeout(timer);
};

/** Settles as `work` does, or rejects as soon as the execution (or the branch) is over. */
export const untilEnded = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  if (signal.aborted) {
    work.catch(() => {});
    throw executionEnded();
  }
  let stop!: () => void;
  const ended = new Promise<never>((_, reject) => {
    stop = () => reject(executionEnded());
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
};

export const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
  let cancel = (): void => {};
  try {
    await untilEnded(new Promise<void>((done) => (cancel = after(ms, done))), signal);
  } finally {
    cancel();
  }
};

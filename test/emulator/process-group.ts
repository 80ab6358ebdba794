import type { ChildProcess } from 'node:child_process';

/** Signals a detached child and everything that it started, as far as any of it is left. */
export const signalGroup = ({ pid }: ChildProcess, name: NodeJS.Signals): void => {
  try {
    process.kill(-pid!, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

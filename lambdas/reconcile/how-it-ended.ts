import type { EndedExecution, StopReason } from '../protocol/ports.ts';

export type TaskEnding = 'completed' | 'failed' | 'cancelled' | 'expired';

/** How a task ended, for those who count: what its execution shows, which knows more than the record's four states. */
export const howItEnded = ({ status, error, output }: EndedExecution): TaskEnding => {
  switch (status) {
    case 'succeeded':
      return isCancelled(output) ? 'cancelled' : 'completed';
    case 'failed':
      return 'failed';
    case 'timedOut':
      return 'expired';
    case 'aborted':
      if ((error as StopReason) === 'OutOfTime') return 'expired';
      return (error as StopReason) === 'NotStarted' ? 'failed' : 'cancelled';
  }
};

/** A workflow that undid its work on request ends well, with what stopped it in its state data. */
const isCancelled = (output = 'null'): boolean =>
  Object.hasOwn(Object(JSON.parse(output)) as object, 'cancelled');

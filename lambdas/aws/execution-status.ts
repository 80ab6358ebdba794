import type { EndedExecution } from '../protocol/ports.ts';

/** How Step Functions calls the ends of an execution, in its API and in its events. */
export const ENDED = {
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  TIMED_OUT: 'timedOut',
  ABORTED: 'aborted',
} as const satisfies Record<string, EndedExecution['status']>;

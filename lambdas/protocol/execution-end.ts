import type { EndedExecution, StopReason, TaskEnd } from './ports.ts';

type End = Omit<TaskEnd, 'lastUpdatedAt'>;

const INTERNAL_ERROR = -32603;

const failed = (message: string): End => ({
  status: 'failed',
  statusMessage: message,
  error: JSON.stringify({ code: INTERNAL_ERROR, message }),
});

export const OUT_OF_TIME = failed('The task ran out of its time and was stopped.');
export const NOT_STARTED = failed('The task could not be started. It is safe to call the tool again.');
export const CANCELLED: End = { status: 'cancelled', statusMessage: 'Cancelled at the caller’s request.' };

const stopped: Record<StopReason, End> = {
  Cancelled: CANCELLED,
  OutOfTime: OUT_OF_TIME,
  NotStarted: NOT_STARTED,
};

/**
 * What a record says whose execution ended without closing it: the workflow's last write is done before the
 * execution ends, so such a record has nobody else left to close it.
 */
export const endOfExecution = ({ status, error, output }: EndedExecution): End => {
  switch (status) {
    case 'timedOut':
      return OUT_OF_TIME;
    case 'aborted':
      // Anybody else who stops an execution is an operator, in the console.
      return (
        stopped[error as StopReason] ?? { status: 'cancelled', statusMessage: 'Stopped by an operator.' }
      );
    case 'failed':
      // Why is in the execution, for operators. A caller can do nothing with it, and it may name resources.
      return failed('The tool failed unexpectedly. Its operators find the cause under the task id.');
    case 'succeeded':
      return completedWith(output) ?? failed('The task ended without a result.');
  }
};

/**
 * The work is done, so if the output still holds its result the task is completed: to call it failed would invite
 * the caller to do it again.
 */
const completedWith = (output = 'null'): End | undefined => {
  const { result } = (JSON.parse(output) ?? {}) as { result?: { content?: unknown } };
  if (!Array.isArray(result?.content)) return undefined;
  return { status: 'completed', result: JSON.stringify({ ...result, resultType: 'complete' }) };
};

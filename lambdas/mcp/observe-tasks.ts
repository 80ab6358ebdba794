import type { Logger } from '@aws-lambda-powertools/logger';
import type { TaskMetrics } from '../aws/task-metrics.ts';
import type { TaskObserver } from '../protocol/observer.ts';

/** Puts task and tool into the log's lines, and counts. */
export const observeTasks = (log: Pick<Logger, 'appendKeys'>, metrics: TaskMetrics): TaskObserver => ({
  seen: ({ taskId, tool }) => log.appendKeys({ taskId, tool }),
  created({ taskId, tool }) {
    log.appendKeys({ taskId, tool });
    metrics.created(tool);
  },
  answered({ tool }, waitedMs) {
    if (waitedMs !== undefined) metrics.answered(tool, waitedMs);
  },
  repaired: ({ tool }) => metrics.reconciled(tool),
});

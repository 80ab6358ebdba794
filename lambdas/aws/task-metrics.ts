import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/** By the names that CloudWatch shows; all have the tool as a dimension, and the stack as `service`. */
export type TaskMetric =
  | 'TasksCreated'
  | 'TasksCompleted'
  | 'TasksFailed'
  | 'TasksCancelled'
  | 'TasksExpired'
  /** From the call to the end of the execution, milliseconds. */
  | 'TaskDuration'
  /** From a question to its answer, milliseconds. */
  | 'InputWait'
  /** Closed by the reconciler or by a poll: nobody else had. */
  | 'TasksReconciled'
  /** At the last census. */
  | 'OpenQuestions'
  /** Of the oldest open question, milliseconds. */
  | 'OldestQuestion';

const ENDINGS = {
  completed: 'TasksCompleted',
  failed: 'TasksFailed',
  cancelled: 'TasksCancelled',
  expired: 'TasksExpired',
} as const satisfies Record<string, TaskMetric>;

export interface TaskMetrics {
  created(tool: string): void;
  answered(tool: string, waitedMs: number): void;
  ended(tool: string, how: keyof typeof ENDINGS, durationMs: number): void;
  reconciled(tool: string): void;
  census(tool: string, openQuestions: number, oldestMs: number): void;
}

/**
 * Metrics as lines of the log (CloudWatch embedded metric format): no call is made, and none can fail. Namespace and
 * service come from POWERTOOLS_METRICS_NAMESPACE and POWERTOOLS_SERVICE_NAME.
 */
export const taskMetrics = (): TaskMetrics => {
  const metrics = new Metrics();
  const put = (tool: string, name: TaskMetric, unit: 'Count' | 'Milliseconds', value: number): void => {
    metrics.singleMetric().addDimension('tool', tool).addMetric(name, MetricUnit[unit], value);
  };
  const count = (tool: string, name: TaskMetric, value = 1): void => put(tool, name, 'Count', value);
  const time = (tool: string, name: TaskMetric, ms: number): void => put(tool, name, 'Milliseconds', ms);

  return {
    created: (tool) => count(tool, 'TasksCreated'),
    answered: (tool, waitedMs) => time(tool, 'InputWait', waitedMs),
    ended(tool, how, durationMs) {
      count(tool, ENDINGS[how]);
      time(tool, 'TaskDuration', durationMs);
    },
    reconciled: (tool) => count(tool, 'TasksReconciled'),
    census(tool, openQuestions, oldestMs) {
      count(tool, 'OpenQuestions', openQuestions);
      time(tool, 'OldestQuestion', oldestMs);
    },
  };
};

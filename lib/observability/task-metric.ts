import { Duration, Stack } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { TaskMetric } from '../../lambdas/aws/task-metrics.ts';

export const METRIC_NAMESPACE = 'McpTasks';

/** One of the metrics that the Lambdas write into their logs, for one tool of this stack. */
export const taskMetric = (
  scope: Construct,
  metricName: TaskMetric,
  tool: string,
  options: MetricOptions = {},
): Metric =>
  new Metric({
    namespace: METRIC_NAMESPACE,
    metricName,
    dimensionsMap: { service: Stack.of(scope).stackName, tool },
    statistic: 'Sum',
    period: Duration.minutes(5),
    label: tool,
    ...options,
  });

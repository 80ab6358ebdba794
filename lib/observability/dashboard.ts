import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  SingleValueWidget,
  type IAlarm,
  type IMetric,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { TaskMetric } from '../../lambdas/aws/task-metrics.ts';
import type { Observed } from './observed.ts';
import { taskMetric } from './task-metric.ts';

const HALF = 12;
const THIRD = 8;

const graph = (title: string, left: IMetric[], width = THIRD): GraphWidget =>
  new GraphWidget({ title, left, width, leftYAxis: { min: 0 } });

/** From what callers feel, at the top, to what it runs on, at the bottom. */
export class TaskDashboard extends Dashboard {
  constructor(scope: Construct, id: string, { alarms, ...observed }: Observed & { alarms: IAlarm[] }) {
    super(scope, id, { defaultInterval: Duration.hours(12) });
    this.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 3 }));
    this.addTasks(observed);
    this.addRequests(observed);
    this.addMachinery(observed);
  }

  private addTasks({ stateMachines }: Observed): void {
    const tools = Object.keys(stateMachines);
    const ofTools = (name: TaskMetric, statistic = 'Sum', label = ''): IMetric[] =>
      tools.map((tool) => taskMetric(this, name, tool, { statistic, label: `${tool}${label}` }));

    this.addWidgets(
      new SingleValueWidget({
        title: 'Tasks',
        width: 24,
        height: 4,
        setPeriodToTimeRange: true,
        metrics: (
          ['TasksCreated', 'TasksCompleted', 'TasksFailed', 'TasksCancelled', 'TasksExpired'] as const
        ).flatMap((name) =>
          tools.map((tool) =>
            taskMetric(this, name, tool, { label: `${tool} ${name.slice('Tasks'.length)}` }),
          ),
        ),
      }),
    );
    this.addWidgets(
      graph('Created', ofTools('TasksCreated')),
      graph('Duration, ms', [
        ...ofTools('TaskDuration', 'p50', ' half'),
        ...ofTools('TaskDuration', 'p95', ' 95 %'),
      ]),
      graph('Wait for an answer, ms', [
        ...ofTools('InputWait', 'p50', ' half'),
        ...ofTools('InputWait', 'p95', ' 95 %'),
      ]),
    );
    this.addWidgets(
      graph('Open questions (census)', ofTools('OpenQuestions', 'Maximum')),
      graph('Oldest open question, ms (census)', ofTools('OldestQuestion', 'Maximum')),
      graph('Reconciled', ofTools('TasksReconciled')),
    );
  }

  private addRequests({ api, endpoint }: Observed): void {
    this.addWidgets(
      graph('Requests', [api.metricCount(), api.metricClientError(), api.metricServerError()]),
      graph('Latency, ms', [
        api.metricLatency({ statistic: 'p50', label: 'half' }),
        api.metricLatency({ statistic: 'p95', label: '95 %' }),
      ]),
      graph('Endpoint', [
        endpoint.metric('ConcurrentExecutions', { statistic: 'Maximum' }),
        endpoint.metricErrors(),
        endpoint.metricThrottles(),
      ]),
    );
  }

  private addMachinery({ stateMachines, taskTable, reconciler, deadLetters, starter }: Observed): void {
    const machines = Object.entries(stateMachines);
    this.addWidgets(
      graph(
        'Executions failed, timed out',
        machines.flatMap(([tool, machine]) => [
          machine.metricFailed({ label: `${tool} failed` }),
          machine.metricTimedOut({ label: `${tool} timed out` }),
        ]),
        HALF,
      ),
      graph(
        'Workflows throttled',
        machines.map(([tool, machine]) => machine.metricThrottled({ label: tool })),
        HALF,
      ),
    );
    this.addWidgets(
      graph('Task table, units', [
        taskTable.metricConsumedReadCapacityUnits({ statistic: 'Sum' }),
        taskTable.metricConsumedWriteCapacityUnits({ statistic: 'Sum' }),
      ]),
      graph('Task table, throttled', [
        taskTable.metric('ReadThrottleEvents', { statistic: 'Sum' }),
        taskTable.metric('WriteThrottleEvents', { statistic: 'Sum' }),
      ]),
      graph('Reconciler', [
        reconciler.metricInvocations(),
        reconciler.metricErrors(),
        deadLetters.metricApproximateNumberOfMessagesVisible({ label: 'Dead letters' }),
      ]),
    );
    if (starter === undefined) return;
    this.addWidgets(
      graph(
        'Oldest queued start, ms',
        [starter.handler.metric('IteratorAge', { statistic: 'Maximum' })],
        HALF,
      ),
      graph(
        'Starter',
        [
          starter.handler.metricInvocations(),
          starter.handler.metricErrors(),
          starter.deadLetters.metricApproximateNumberOfMessagesVisible({ label: 'Dead letters' }),
        ],
        HALF,
      ),
    );
  }
}

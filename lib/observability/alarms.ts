import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  MathExpression,
  TreatMissingData,
  type IAlarm,
  type IMetric,
  type MetricOptions,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { TaskMetric } from '../../lambdas/aws/task-metrics.ts';
import { settingsOf } from '../settings.ts';
import type { Observed } from './observed.ts';
import { taskMetric } from './task-metric.ts';

const FIVE_MINUTES = { period: Duration.minutes(5), statistic: 'Sum' };

interface Watch {
  says: string;
  metric: IMetric;
  /** Reached or passed. */
  threshold: number;
  /** How many of how many periods in a row. */
  during?: [breaching: number, periods: number];
}

/** What somebody should look at. Each description says what it means for callers, and where to look (docs/debugging.md). */
export class Alarms extends Construct {
  readonly alarms: IAlarm[];

  constructor(scope: Construct, id: string, observed: Observed) {
    super(scope, id);
    const topics = this.topics();
    this.alarms = Object.entries(watches(this, observed)).map(([name, watch]) => {
      const { says, metric, threshold, during: [datapointsToAlarm, evaluationPeriods] = [1, 1] } = watch;
      const alarm = new Alarm(this, name, {
        alarmDescription: says,
        metric,
        threshold,
        datapointsToAlarm,
        evaluationPeriods,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      for (const topic of topics) {
        alarm.addAlarmAction(new SnsAction(topic));
        alarm.addOkAction(new SnsAction(topic));
      }
      return alarm;
    });
  }

  private topics() {
    const { alarmTopicArn, alarmEmail } = settingsOf(this);
    const topics = alarmTopicArn ? [Topic.fromTopicArn(this, 'Given topic', alarmTopicArn)] : [];
    if (alarmEmail === undefined) return topics;
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(alarmEmail));
    return [...topics, topic];
  }
}

const watches = (scope: Construct, observed: Observed): Record<string, Watch> => {
  const { api, endpoint, reconciler, deadLetters, starter, taskTable, stateMachines } = observed;
  const machines = Object.values(stateMachines);
  const ofTools = (...[name, options]: [TaskMetric, MetricOptions?]): IMetric[] =>
    Object.keys(stateMachines).map((tool) => taskMetric(scope, name, tool, options));

  return {
    'API fails': {
      says: 'Callers get 5XX. The endpoint’s log has the errors, by correlation id.',
      metric: api.metricServerError(FIVE_MINUTES),
      threshold: 5,
    },
    'Endpoint fails': {
      says: 'The endpoint crashed or ran out of time; answers with a JSON-RPC error do not count.',
      metric: endpoint.metricErrors(FIVE_MINUTES),
      threshold: 1,
    },
    'Endpoint throttled': {
      says: 'No concurrency left: raise the account’s quota, or listen with fewer streams.',
      metric: endpoint.metricThrottles(FIVE_MINUTES),
      threshold: 1,
    },
    ...overAll(
      'Tasks fail',
      machines.map((machine) => machine.metricFailed(FIVE_MINUTES)),
      {
        says: 'Workflows fail with what their authors did not foresee. Failed executions have the cause.',
        threshold: 5,
        during: [1, 3],
      },
    ),
    ...overAll(
      'Tasks run out of time',
      machines.map((machine) => machine.metricTimedOut(FIVE_MINUTES)),
      {
        says: 'Executions outlive the ttlMs of their tool and are stopped.',
        threshold: 1,
      },
    ),
    ...overAll(
      'Workflows throttled',
      machines.map((machine) => machine.metricThrottled(FIVE_MINUTES)),
      {
        says: 'Step Functions delays states or refuses starts: raise its quotas (docs/cost.md).',
        threshold: 10,
        during: [3, 3],
      },
    ),
    ...overAll(
      'Task table throttled',
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => taskTable.metric(name, FIVE_MINUTES)),
      {
        says: 'DynamoDB refuses reads or writes of task records: a burst beyond what the table has seen.',
        threshold: 1,
        during: [2, 3],
      },
    ),
    ...overAll('Tasks had to be reconciled', ofTools('TasksReconciled'), {
      says: 'Workflows end without closing their tasks: States.Runtime errors, or stopped in the console.',
      threshold: 5,
      during: [1, 3],
    }),
    'Reconciler fails': {
      says: 'The backstop itself fails; polls still close what it misses.',
      metric: reconciler.metricErrors(FIVE_MINUTES),
      threshold: 3,
    },
    'Dead letters': {
      says: 'A task may still read as working although its execution ended. The queue holds the events.',
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1) }),
      threshold: 1,
    },
    ...(starter && startWatches(starter)),
    ...overAll(
      'Question stuck',
      ofTools('OldestQuestion', { statistic: 'Maximum', period: Duration.hours(1) }),
      {
        says: 'A question has been open for 8 hours: npm run task -- list-stuck names it. Needs censusMinutes.',
        threshold: Duration.hours(8).toMilliseconds(),
      },
      'MAX',
    ),
  };
};

const startWatches = ({ handler, deadLetters }: NonNullable<Observed['starter']>): Record<string, Watch> => ({
  'Tasks wait to be started': {
    says: 'Queued tasks wait for minutes: Step Functions refuses starts, or the starter fails. Its log says which.',
    metric: handler.metric('IteratorAge', { period: Duration.minutes(1), statistic: 'Maximum' }),
    threshold: Duration.minutes(2).toMilliseconds(),
    during: [3, 3],
  },
  'Starter fails': {
    says: 'The starter crashed or ran out of time; starts that are merely refused come again and do not count.',
    metric: handler.metricErrors(FIVE_MINUTES),
    threshold: 3,
  },
  'Start dead letters': {
    says: 'Tasks could not be started for a quarter of an hour and were given up; polls close them as failed.',
    metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1) }),
    threshold: 1,
  },
});

/** CloudWatch lets one alarm look at so many metrics, and no more. */
const METRICS_PER_ALARM = 10;

/** One alarm over all these metrics, or as few as it takes. */
const overAll = (
  name: string,
  metrics: IMetric[],
  watch: Omit<Watch, 'metric'>,
  over = 'SUM',
): Record<string, Watch> => {
  const alarms: Record<string, Watch> = {};
  for (let first = 0; first < metrics.length; first += METRICS_PER_ALARM) {
    const some = metrics.slice(first, first + METRICS_PER_ALARM);
    const usingMetrics = Object.fromEntries(some.map((metric, index) => [`m${index}`, metric]));
    const metric = new MathExpression({
      expression: `${over}(METRICS())`,
      usingMetrics,
      label: name,
      period: some[0]!.toMetricConfig().metricStat!.period,
    });
    alarms[first === 0 ? name : `${name} ${1 + first / METRICS_PER_ALARM}`] = { ...watch, metric };
  }
  return alarms;
};

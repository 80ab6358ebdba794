import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { taskMetrics } from '../../../lambdas/aws/task-metrics.ts';

const lines: string[] = [];
const environment = { ...process.env };

beforeEach(() => {
  lines.length = 0;
  Object.assign(process.env, {
    POWERTOOLS_METRICS_NAMESPACE: 'McpTasks',
    POWERTOOLS_SERVICE_NAME: 'Stack',
    // Powertools then writes through the console that Jest watches.
    POWERTOOLS_DEV: 'true',
    POWERTOOLS_METRICS_DISABLED: 'false',
  });
  jest.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)));
});
afterEach(() => {
  process.env = { ...environment };
  jest.restoreAllMocks();
});

const written = () =>
  lines.map((line) => {
    const { _aws, ...values } = JSON.parse(line);
    const [{ Namespace, Dimensions, Metrics }] = _aws.CloudWatchMetrics;
    return { Namespace, Dimensions, Metrics, values };
  });

test('each is a line in the embedded metric format, by stack and tool', () => {
  taskMetrics().created('countdown');

  expect(written()).toEqual([
    {
      Namespace: 'McpTasks',
      Dimensions: [['service', 'tool']],
      Metrics: [{ Name: 'TasksCreated', Unit: 'Count' }],
      values: { service: 'Stack', tool: 'countdown', TasksCreated: 1 },
    },
  ]);
});

test('an end is counted, and timed', () => {
  const metrics = taskMetrics();
  metrics.ended('countdown', 'expired', 1_234);
  metrics.answered('countdown', 60_000);
  metrics.reconciled('countdown');
  metrics.census('countdown', 3, 7_200_000);

  expect(written().map(({ values: { service: _, tool: __, ...value } }) => value)).toEqual([
    { TasksExpired: 1 },
    { TaskDuration: 1_234 },
    { InputWait: 60_000 },
    { TasksReconciled: 1 },
    { OpenQuestions: 3 },
    { OldestQuestion: 7_200_000 },
  ]);
});

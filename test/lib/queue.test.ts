import { beforeAll, describe, expect, test } from '@jest/globals';
import { policiesOf } from '../support/policies.ts';
import { synthApp } from '../support/synth.ts';
import { asText, isRecordWrite, statesOf, type Resource, type Synthesized } from '../support/template.ts';

let now: Synthesized;
let queued: Synthesized;
beforeAll(() => {
  now = synthApp({});
  queued = synthApp({ startTasks: 'queued' });
});

const only = (app: Synthesized, type: string, prefix = ''): [string, Resource] => {
  const found = app.ofType(type).filter(([id]) => id.startsWith(prefix));
  expect(found).toHaveLength(1);
  return found[0]!;
};

describe('unless asked for', () => {
  test('there is no stream, no starter, and no word of a queue', () => {
    expect(now.ofType('AWS::Lambda::EventSourceMapping')).toEqual([]);
    expect(JSON.stringify(now.resources)).not.toMatch(/queued|StreamSpecification|Starter|START_TASKS/i);
  });
});

describe('startTasks=queued', () => {
  test('the table streams what is written; the other tables do not', () => {
    const streaming = queued
      .ofType('AWS::DynamoDB::Table')
      .filter(([, { Properties }]) => Properties['StreamSpecification'] !== undefined);
    expect(streaming).toEqual([[queued.taskTable, expect.anything()]]);
    expect(streaming[0]![1].Properties['StreamSpecification']).toEqual({ StreamViewType: 'NEW_IMAGE' });
  });

  test('the endpoint queues, and may not start', () => {
    const { Variables } = queued.endpoint[1].Properties['Environment'];
    expect(Variables).toMatchObject({ START_TASKS: 'queued', QUEUED_TASK_SECONDS: '960' });
    const without = policiesOf(now)
      .grants(now.endpoint[0])
      .filter(([action]) => action !== 'states:StartExecution');
    expect(policiesOf(queued).grants(queued.endpoint[0])).toEqual(without);
    expect(without).not.toHaveLength(policiesOf(now).grants(now.endpoint[0]).length);
  });

  test('the starter reads the stream, reads and changes records, starts, sees and stops these workflows; no more', () => {
    const [starter] = only(queued, 'AWS::Lambda::Function', 'Starter');
    const [deadLetters] = only(queued, 'AWS::SQS::Queue', 'Starter');
    const machines = Object.values(queued.stateMachines);
    const execution = (machine: string): string =>
      `arn:\${AWS::Partition}:states:\${AWS::Region}:\${AWS::AccountId}:execution:${machine}[6]:*`;
    const table = `\${${queued.taskTable}.Arn}`;
    const stream = `\${${queued.taskTable}.StreamArn}`;

    expect(policiesOf(queued).grants(starter)).toEqual(
      [
        ...['GetItem', 'UpdateItem'].map((action) => [`dynamodb:${action}`, table]),
        ...['DescribeStream', 'GetRecords', 'GetShardIterator'].map((action) => [
          `dynamodb:${action}`,
          stream,
        ]),
        ...machines.map((machine) => ['states:StartExecution', machine]),
        ...machines.map((machine) => ['states:DescribeExecution', execution(machine)]),
        ...machines.map((machine) => ['states:StopExecution', execution(machine)]),
        ...['GetQueueAttributes', 'GetQueueUrl', 'SendMessage'].map((action) => [
          `sqs:${action}`,
          `\${${deadLetters}.Arn}`,
        ]),
      ].sort(),
    );
  });

  test('is given new queued records, tries for a quarter of an hour, and then keeps where they were', () => {
    const [starter, { Properties: fn }] = only(queued, 'AWS::Lambda::Function', 'Starter');
    const [deadLetters, { Properties: queue }] = only(queued, 'AWS::SQS::Queue', 'Starter');
    const [, { Properties }] = only(queued, 'AWS::Lambda::EventSourceMapping');
    expect(Properties).toEqual({
      FunctionName: { Ref: starter },
      EventSourceArn: { 'Fn::GetAtt': [queued.taskTable, 'StreamArn'] },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 10,
      ParallelizationFactor: 4,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      MaximumRecordAgeInSeconds: 900,
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [deadLetters, 'Arn'] } } },
      FilterCriteria: { Filters: [{ Pattern: expect.any(String) }] },
    });
    expect(JSON.parse(Properties['FilterCriteria'].Filters[0].Pattern)).toEqual({
      eventName: ['INSERT'],
      dynamodb: { NewImage: { queuedInput: { S: [{ exists: true }] } } },
    });
    expect(fn['Timeout']).toBe(30);
    expect(queue).toMatchObject({ SqsManagedSseEnabled: true, MessageRetentionPeriod: 14 * 86_400 });
  });

  test('every write of a workflow that ends a task takes it out of the queue', () => {
    const ends = Object.keys(queued.stateMachines).flatMap((tool) =>
      statesOf(queued.definition(tool)).filter(
        ([, state]) =>
          isRecordWrite(state) && asText(state['Parameters'].UpdateExpression).includes('#status ='),
      ),
    );
    expect(ends.length).toBeGreaterThanOrEqual(4);
    for (const [, { Parameters }] of ends) {
      expect(Parameters.UpdateExpression).toMatch(/ REMOVE .*#queuedInput/);
      expect(Parameters.ExpressionAttributeNames['#queuedInput']).toBe('queuedInput');
    }
  });

  test('alarms tell of tasks that wait, and of those that were given up', () => {
    const watched = synthApp({ startTasks: 'queued', alarms: 'true' });
    const [starter] = only(watched, 'AWS::Lambda::Function', 'Starter');
    const [deadLetters] = only(watched, 'AWS::SQS::Queue', 'Starter');
    const alarms = watched.ofType('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
    const on = (name: string, value: unknown) =>
      alarms
        .filter(({ Dimensions: [{ Name, Value } = {} as never] = [] }) => {
          return Name === name && JSON.stringify(Value) === JSON.stringify(value);
        })
        .map(({ MetricName, Threshold }) => [MetricName, Threshold]);
    expect(on('FunctionName', { Ref: starter }).sort()).toEqual([
      ['Errors', 3],
      ['IteratorAge', 120_000],
    ]);
    expect(on('QueueName', { 'Fn::GetAtt': [deadLetters, 'QueueName'] })).toEqual([
      ['ApproximateNumberOfMessagesVisible', 1],
    ]);
    const [, dashboard] = only(watched, 'AWS::CloudWatch::Dashboard');
    expect(JSON.stringify(dashboard.Properties['DashboardBody'])).toContain('IteratorAge');
  });
});

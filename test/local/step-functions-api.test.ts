import { expect, test } from '@jest/globals';
import {
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { arnOf, withEngine } from './fixture/engine.ts';

const QUICK = { StartAt: 'Done', States: { Done: { Type: 'Pass', End: true } } };
const LONG = { StartAt: 'Wait', States: { Wait: { Type: 'Wait', Seconds: 600, End: true } } };

const bed = withEngine({ Quick: QUICK, Listed: QUICK, Long: LONG });
const start = (machine: string, name?: string, input?: string) =>
  bed.sfn.send(new StartExecutionCommand({ stateMachineArn: arnOf(machine), name, input }));
const describe = (executionArn?: string) => bed.sfn.send(new DescribeExecutionCommand({ executionArn }));

test('the same name and input while it runs is the same execution', async () => {
  const first = await start('Long', 'once', '{"a":1}');
  expect(first.executionArn).toBe('arn:aws:states:us-east-1:000000000000:execution:Long:once');
  const again = await start('Long', 'once', '{"a":1}');
  expect([again.executionArn, again.startDate]).toEqual([first.executionArn, first.startDate]);
  await expect(start('Long', 'once', '{"a":2}')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });

  await bed.sfn.send(new StopExecutionCommand({ executionArn: first.executionArn }));
  await expect(start('Long', 'once', '{"a":1}')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
});

test.each([
  ['InvalidName', 'Quick', 'a b', '{}'],
  ['InvalidName', 'Quick', 'a/b', '{}'],
  ['ValidationException', 'Quick', 'x'.repeat(81), '{}'],
  ['InvalidExecutionInput', 'Quick', 'x', 'no json'],
  ['ValidationException', 'Quick', 'x', `"${'x'.repeat(262_143)}"`],
  ['StateMachineDoesNotExist', 'Nobody', 'x', '{}'],
])('a start is refused with %s', async (error, machine, name, input) => {
  await expect(start(machine, name, input)).rejects.toMatchObject({ name: error });
});

test('an execution tells how it stands', async () => {
  const { executionArn, startDate } = await start('Long', 'described', '{}');
  expect(await describe(executionArn)).toMatchObject({
    name: 'described',
    stateMachineArn: arnOf('Long'),
    status: 'RUNNING',
    input: '{}',
    startDate,
  });
  await expect(describe(`${executionArn}x`)).rejects.toMatchObject({ name: 'ExecutionDoesNotExist' });
});

test('the history tells what happened, forwards and backwards, page by page', async () => {
  const executionArn = await bed.start('Quick', { a: 1 });
  await bed.ended(executionArn);
  const { events = [] } = await bed.sfn.send(new GetExecutionHistoryCommand({ executionArn }));
  expect(events).toMatchObject([
    {
      id: 1,
      previousEventId: 0,
      type: 'ExecutionStarted',
      executionStartedEventDetails: { input: '{"a":1}' },
    },
    {
      id: 2,
      previousEventId: 1,
      type: 'PassStateEntered',
      stateEnteredEventDetails: { name: 'Done', input: '{"a":1}' },
    },
    {
      id: 3,
      previousEventId: 2,
      type: 'PassStateExited',
      stateExitedEventDetails: { name: 'Done', output: '{"a":1}' },
    },
    {
      id: 4,
      previousEventId: 3,
      type: 'ExecutionSucceeded',
      executionSucceededEventDetails: { output: '{"a":1}' },
    },
  ]);
  expect(Date.now() - (events[0]?.timestamp?.getTime() ?? 0)).toBeLessThan(60_000);

  const page = (nextToken?: string) =>
    bed.sfn.send(
      new GetExecutionHistoryCommand({ executionArn, reverseOrder: true, maxResults: 3, nextToken }),
    );
  const first = await page();
  const second = await page(first.nextToken);
  expect([...(first.events ?? []), ...(second.events ?? [])].map(({ id }) => id)).toEqual([4, 3, 2, 1]);
  expect(second.nextToken).toBeUndefined();
});

test('executions are listed, the newest first', async () => {
  for (const name of ['first', 'second', 'third']) await bed.ended(await bed.start('Listed', {}, name));
  const list = async (fields: object) =>
    bed.sfn.send(new ListExecutionsCommand({ stateMachineArn: arnOf('Listed'), ...fields }));
  const page = await list({ maxResults: 2, statusFilter: 'SUCCEEDED' });
  expect(page.executions).toMatchObject([
    { name: 'third', status: 'SUCCEEDED', stopDate: expect.any(Date) },
    { name: 'second' },
  ]);
  expect((await list({ maxResults: 2, nextToken: page.nextToken })).executions).toMatchObject([
    { name: 'first' },
  ]);
  expect((await list({ statusFilter: 'RUNNING' })).executions).toEqual([]);
});

test('state machines are listed and described', async () => {
  const { stateMachines } = await bed.sfn.send(new ListStateMachinesCommand({}));
  expect(stateMachines?.map(({ name }) => name)).toEqual(['Quick', 'Listed', 'Long']);
  const machine = await bed.sfn.send(new DescribeStateMachineCommand({ stateMachineArn: arnOf('Quick') }));
  expect(machine).toMatchObject({ status: 'ACTIVE', type: 'STANDARD', creationDate: expect.any(Date) });
  expect(JSON.parse(machine.definition as string)).toEqual(QUICK);
});

test.each(['AWSStepFunctions.CreateActivity', 'AWSStepFunctions.toString', 'SQS.SendMessage'])(
  '%s is an unknown operation',
  async (target) => {
    const response = await fetch(bed.engine.awsEndpoint, {
      method: 'POST',
      headers: { 'x-amz-target': target },
      body: '{}',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ __type: 'UnknownOperationException' });
  },
);

import { DescribeExecutionCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { accept, callAndWait, isOver, taskClient, until, type TaskClient } from './client.ts';
import { recordOf, useFaultsEngine } from './engine.ts';

const engine = useFaultsEngine();
let client: TaskClient;
beforeAll(() => {
  client = taskClient(engine.mcpUrl);
});

const record = (taskId: string) => recordOf(engine, taskId);
const asking = (tool = 'drive') => callAndWait(client, tool);

/** Ways for an execution to end that no state of it can react to, and what the record then says. */
const ends = {
  'a path that leads nowhere': {
    end: async ({ taskId, key }: { taskId: string; key: string }) => {
      await client.update(taskId, { [key]: accept('broken') });
    },
    says: { status: 'failed', error: { code: -32603 } },
  },
  'an operator who stops it': {
    end: async ({ taskId }: { taskId: string; key: string }) => {
      const { executionArn } = await record(taskId);
      await engine.stepFunctions.send(new StopExecutionCommand({ executionArn: String(executionArn) }));
    },
    says: { status: 'cancelled', statusMessage: 'Stopped by an operator.' },
  },
};

describe.each(Object.entries(ends))('%s', (_, { end, says }) => {
  test('closes the record by the execution’s event, without anybody polling', async () => {
    const task = await asking();
    await end(task);
    await until(async () => (await record(task.taskId))['status'] !== 'working');
    expect(await client.get(task.taskId)).toMatchObject(says);
  });

  test('is found by a poll when the event never comes', async () => {
    const deliver = engine.interceptEvents(async () => {});
    const task = await asking();
    await end(task);
    const over = await client.until(task.taskId, isOver);
    expect(over).toMatchObject(says);
    expect(over).not.toHaveProperty('inputRequests');
    expect(await record(task.taskId)).toMatchObject({ status: says.status });
    deliver();
  });
});

test('an event that comes late, and twice, changes nothing', async () => {
  const late: (() => Promise<void>)[] = [];
  const release = engine.interceptEvents(async (_, deliver) => {
    late.push(deliver, deliver);
  });
  const { taskId, key } = await asking();
  await client.update(taskId, { [key]: accept('complete') });
  const over = await client.until(taskId, isOver);
  await until(async () => late.length > 0);
  const before = await record(taskId);
  for (const deliver of late) await deliver();
  release();
  expect(await record(taskId)).toEqual(before);
  expect(over).toMatchObject({ status: 'completed', result: { content: [{ text: 'done' }] } });
});

test('a task ends with its time, says so while it can be read, and then is gone for every method', async () => {
  const { taskId, key } = await asking('short');
  const { executionArn } = await record(taskId);
  const over = await client.until(taskId, isOver);
  expect(over).toMatchObject({
    status: 'failed',
    error: { code: -32603, message: 'The task ran out of its time and was stopped.' },
  });
  const { status } = await engine.stepFunctions.send(
    new DescribeExecutionCommand({ executionArn: String(executionArn) }),
  );
  // The machine's own timeout, or a poll that noticed the end first and stopped it.
  expect(['TIMED_OUT', 'ABORTED']).toContain(status);
  await client.update(taskId, { [key]: accept('complete') });
  await client.cancel(taskId);
  expect(await client.get(taskId)).toEqual(expect.objectContaining({ status: 'failed' }));

  await until(() =>
    client.get(taskId).then(
      () => false,
      () => true,
    ),
  );
  for (const request of [client.get(taskId), client.update(taskId, {}), client.cancel(taskId)]) {
    await expect(request).rejects.toMatchObject({ code: -32602 });
  }
});

test('a record that was never started is closed by the poll that finds it', async () => {
  const { executionArn, ...item } = await record((await asking()).taskId);
  const taskId = `tsk_${'x'.repeat(22)}`;
  const orphan = {
    ...item,
    pk: `public#${taskId}`,
    taskId,
    executionArn: String(executionArn).replace(/tsk_.*/, taskId),
    inputs: {},
    lastUpdatedAt: new Date(Date.now() - 60_000).toISOString(),
    createdAt: new Date(Date.now() - 60_000).toISOString(),
  };
  await engine.documents.send(new PutCommand({ TableName: engine.table('Tasks'), Item: orphan }));
  expect(await client.get(taskId)).toMatchObject({
    status: 'failed',
    error: { message: 'The task could not be started. It is safe to call the tool again.' },
  });
});

test('a quiet task costs one look at its execution per staleness, not one per poll', async () => {
  const { taskId } = await asking();
  await engine.documents.send(
    new UpdateCommand({
      TableName: engine.table('Tasks'),
      Key: { pk: `public#${taskId}` },
      UpdateExpression: 'SET lastUpdatedAt = :longAgo',
      ExpressionAttributeValues: { ':longAgo': new Date(Date.now() - 60_000).toISOString() },
    }),
  );
  engine.resetCalls();
  for (let poll = 0; poll < 5; poll++) await client.get(taskId);
  const operations = engine.calls.map(({ operation }) => operation);
  expect(operations.filter((operation) => operation === 'GetItem')).toHaveLength(5);
  expect(operations.filter((operation) => operation === 'DescribeExecution')).toHaveLength(1);
});

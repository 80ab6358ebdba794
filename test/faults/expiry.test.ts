import { DescribeStateMachineCommand, ListStateMachinesCommand } from '@aws-sdk/client-sfn';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import { accept, asks, callAndWait, isOver, taskClient, type TaskClient } from './client.ts';
import { recordOf, useFaultsEngine } from './engine.ts';

const engine = useFaultsEngine();
let client: TaskClient;
beforeAll(() => {
  client = taskClient(engine.mcpUrl);
});

const timeoutOf = async (tool: string): Promise<number> => {
  const { stateMachines = [] } = await engine.stepFunctions.send(new ListStateMachinesCommand({}));
  const { stateMachineArn } = stateMachines.find(({ name }) => name?.startsWith(tool))!;
  const { definition } = await engine.stepFunctions.send(
    new DescribeStateMachineCommand({ stateMachineArn }),
  );
  return JSON.parse(definition!).TimeoutSeconds;
};

test('an unlimited task says so, never expires, and runs for at most a year', async () => {
  const { taskId, key } = await callAndWait(client, 'unlimited');
  expect(await client.get(taskId)).toMatchObject({ ttlMs: null });
  expect(await recordOf(engine, taskId)).not.toHaveProperty('expiresAt');
  expect(await timeoutOf('unlimited')).toBe(365 * 86_400);
  await client.update(taskId, { [key]: accept('complete') });
  expect(await client.until(taskId, isOver)).toMatchObject({ status: 'completed', ttlMs: null });
});

test('an extended task outlives the lifetime of its tool', async () => {
  const { taskId, ttlMs } = await client.call('extended');
  expect(ttlMs).toBe(1_000);
  await client.until(taskId, asks);
  const { createdAt, expiresAt } = await recordOf(engine, taskId);
  expect(expiresAt).toBe(Math.ceil((Date.parse(String(createdAt)) + 4_000) / 1000) + 29);
  expect(await client.get(taskId)).toMatchObject({ ttlMs: 30_000, status: 'input_required' });
  expect(await timeoutOf('extended')).toBe(60);
});

test('a task that its execution outlives is stopped by the poll that finds it', async () => {
  const { taskId } = await callAndWait(client, 'extended');
  // As if the extension had been for less: the execution may still run, the task may not.
  await engine.documents.send(
    new UpdateCommand({
      TableName: engine.table('Tasks'),
      Key: { pk: `public#${taskId}` },
      UpdateExpression: 'SET ttlMs = :past',
      ExpressionAttributeValues: { ':past': 1 },
    }),
  );
  expect(await client.get(taskId)).toMatchObject({
    status: 'failed',
    statusMessage: 'The task ran out of its time and was stopped.',
  });
});

import { beforeAll, expect, test } from '@jest/globals';
import { awsError } from '../../local/aws/calls.ts';
import { accept, asks, callAndWait, isOver, openKeys, taskClient, until, type TaskClient } from './client.ts';
import { recordOf, useFaultsEngine } from './engine.ts';
import { executionStatus } from './executions.ts';

const engine = useFaultsEngine();
let client: TaskClient;
beforeAll(() => {
  client = taskClient(engine.mcpUrl);
});

test('stop: the execution ends where it is', async () => {
  const { taskId } = await callAndWait(client, 'drive');
  await client.cancel(taskId);
  expect(await client.get(taskId)).toMatchObject({ status: 'cancelled' });
  expect(await executionStatus(engine, taskId)).toBe('ABORTED');
});

test('cooperative: the open question is withdrawn, the work undone, and only then the task is cancelled', async () => {
  const { taskId, key } = await callAndWait(client, 'cooperative');
  const seen: string[] = [];
  const release = engine.interceptAwsCalls(async ({ caller, body }, proceed) => {
    if (caller === 'workflow') seen.push((await recordOf(engine, taskId))['status'] as string);
    if (caller === 'workflow' && body.includes('Undone')) expect(seen).not.toContain('cancelled');
    return proceed();
  });
  await client.cancel(taskId);
  const after = await client.get(taskId);
  expect(openKeys(after)).toEqual([]);
  await client.update(taskId, { [key]: accept('complete') });
  expect(await client.until(taskId, isOver)).toMatchObject({ status: 'cancelled' });
  release();
  expect(seen.length).toBeGreaterThanOrEqual(2);
  expect(await executionStatus(engine, taskId)).toBe('SUCCEEDED');
  await client.cancel(taskId);
});

test('cooperative: a step that works sees the request, stops, and its work is undone', async () => {
  const looks: string[] = [];
  const undone: string[] = [];
  const release = engine.interceptAwsCalls(async ({ caller, operation, body }, proceed) => {
    if (operation === 'GetItem' && caller.includes('Work')) looks.push(caller);
    if (caller === 'workflow' && body.includes('Undone')) undone.push(operation);
    return proceed();
  });
  const { taskId } = await client.call('patient');
  await until(async () => looks.length > 1);
  expect(await client.get(taskId)).toMatchObject({ status: 'working' });
  await client.cancel(taskId);
  expect(await client.until(taskId, isOver)).toMatchObject({ status: 'cancelled' });
  expect(undone).toEqual(['UpdateItem']);
  expect(await executionStatus(engine, taskId)).toBe('SUCCEEDED');
  release();
});

test('cooperative: work that cannot be undone is visible', async () => {
  const { taskId } = await callAndWait(client, 'cooperative', { undoFails: true });
  await client.cancel(taskId);
  const over = await client.until(taskId, isOver);
  expect(over).toMatchObject({ status: 'failed', error: { code: -32603 } });
  expect(over.statusMessage).toMatch(/could not be undone/);
});

test('cooperative: the next question is not asked any more', async () => {
  const { taskId, key } = await callAndWait(client, 'cooperative');
  // The answer is on its way when the cancel comes: the workflow goes on, and learns of it at its next write.
  const release = engine.interceptAwsCalls(async ({ operation }, proceed) => {
    if (operation === 'SendTaskSuccess') await client.cancel(taskId);
    return proceed();
  });
  await client.update(taskId, { [key]: accept('progress') });
  release();
  expect(await client.until(taskId, isOver)).toMatchObject({ status: 'cancelled' });
});

test('cooperative: a cancel that got no further than its mark is finished by the next poll', async () => {
  const { taskId } = await callAndWait(client, 'cooperative');
  let dead = true;
  const release = engine.interceptAwsCalls((call, proceed) =>
    dead && call.operation === 'SendTaskFailure'
      ? Promise.resolve(awsError('AccessDeniedException', 'crashed'))
      : proceed(),
  );
  await expect(client.cancel(taskId)).rejects.toMatchObject({ code: -32603 });
  dead = false;
  expect(await client.until(taskId, isOver)).toMatchObject({ status: 'cancelled' });
  release();
});

test.each(['drive', 'cooperative'])(
  '%s: completion and cancel at once end in one of the two',
  async (tool) => {
    for (let round = 0; round < 8; round++) {
      const { taskId, key } = await callAndWait(client, tool);
      await client.update(taskId, { [key]: accept('complete') });
      await Promise.all([client.cancel(taskId), client.cancel(taskId)]);
      const over = await client.until(taskId, isOver);
      expect(['completed', 'cancelled']).toContain(over.status);
      expect(await client.get(taskId)).toEqual({ ...over, pollIntervalMs: expect.any(Number) });
      expect(asks(over)).toBe(false);
    }
  },
);

import { beforeAll, expect, test } from '@jest/globals';
import { accept, callAndWait, isOver, taskClient, type TaskClient } from './client.ts';
import { useFaultsEngine } from './engine.ts';
import { dieAt, executionsOfKeyed } from './executions.ts';

const engine = useFaultsEngine();
let client: TaskClient;
beforeAll(() => {
  client = taskClient(engine.mcpUrl);
});

test('the same key gives the same task, while it runs and when it is over', async () => {
  const { taskId, key } = await callAndWait(client, 'keyed', { note: 'a' });
  expect(await client.call('keyed', { note: 'a' })).toMatchObject({ taskId, status: 'input_required' });
  await client.update(taskId, { [key]: accept('complete') });
  await client.until(taskId, isOver);
  expect(await client.call('keyed', { note: 'a' })).toMatchObject({ taskId, status: 'completed' });
  expect(await client.call('keyed', { note: 'b' })).not.toMatchObject({ taskId });
});

test('the same key with other arguments is an error', async () => {
  await client.call('keyed', { note: 'c:1' });
  await expect(client.call('keyed', { note: 'c:2' })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('other arguments'),
  });
});

test('twenty calls at once are one task and one execution', async () => {
  const tasks = await Promise.all(Array.from({ length: 20 }, () => client.call('keyed', { note: 'd' })));
  expect(new Set(tasks.map(({ taskId }) => taskId)).size).toBe(1);
  expect(await executionsOfKeyed(engine, 'd')).toHaveLength(1);
});

// Claim, record, start: the request dies before or behind each of them.
const CALLS = ['PutItem', 'PutItem', 'StartExecution'];

test.each(CALLS.flatMap((_, n) => [[n, 'before'] as const, [n, 'behind'] as const]))(
  'a request that dies at call %i, %s it, is finished by the next one',
  async (n, when) => {
    const note = `e${n}${when}`;
    const release = dieAt(engine, CALLS, n, when);
    await expect(client.call('keyed', { note })).rejects.toMatchObject({ code: -32603 });
    release();
    const { taskId } = await callAndWait(client, 'keyed', { note });
    expect(await client.call('keyed', { note })).toMatchObject({ taskId });
    expect(await executionsOfKeyed(engine, note)).toHaveLength(1);
  },
);

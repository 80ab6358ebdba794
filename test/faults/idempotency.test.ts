import {
  DescribeExecutionCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
} from '@aws-sdk/client-sfn';
import { beforeAll, expect, test } from '@jest/globals';
import { awsError, DROP } from '../../local/aws/calls.ts';
import { accept, callAndWait, isOver, taskClient, type TaskClient } from './client.ts';
import { useFaultsEngine } from './engine.ts';

const engine = useFaultsEngine();
let client: TaskClient;
beforeAll(() => {
  client = taskClient(engine.mcpUrl);
});

/** Executions of keyed tasks with this note. */
const executions = async (note: string): Promise<string[]> => {
  const { stateMachines = [] } = await engine.stepFunctions.send(new ListStateMachinesCommand({}));
  const { stateMachineArn } = stateMachines.find(({ name }) => name?.includes('keyed'))!;
  const { executions: all = [] } = await engine.stepFunctions.send(
    new ListExecutionsCommand({ stateMachineArn, maxResults: 1000 }),
  );
  const described = await Promise.all(
    all.map(({ executionArn }) => engine.stepFunctions.send(new DescribeExecutionCommand({ executionArn }))),
  );
  return described
    .filter(({ input }) => JSON.parse(input!).arguments.note === note)
    .map(({ executionArn }) => executionArn!);
};

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
  expect(await executions('d')).toHaveLength(1);
});

// Claim, record, start: the request dies before or behind each of them.
const CALLS = ['PutItem', 'PutItem', 'StartExecution'];

test.each(CALLS.flatMap((_, n) => [[n, 'before'] as const, [n, 'behind'] as const]))(
  'a request that dies at call %i, %s it, is finished by the next one',
  async (n, when) => {
    const note = `e${n}${when}`;
    let count = 0;
    let dying = false;
    const release = engine.interceptAwsCalls(async ({ caller, operation }, proceed) => {
      if (!caller.startsWith('Endpoint')) return proceed();
      if (dying) return awsError('AccessDeniedException', 'dead');
      if (operation !== CALLS[count] || count++ < n) return proceed();
      dying = true;
      if (when === 'before') return awsError('AccessDeniedException', 'dead');
      await proceed();
      return DROP;
    });
    await expect(client.call('keyed', { note })).rejects.toMatchObject({ code: -32603 });
    release();
    const { taskId } = await callAndWait(client, 'keyed', { note });
    expect(await client.call('keyed', { note })).toMatchObject({ taskId });
    expect(await executions(note)).toHaveLength(1);
  },
);

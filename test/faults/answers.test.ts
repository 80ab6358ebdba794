import { GetExecutionHistoryCommand } from '@aws-sdk/client-sfn';
import { beforeAll, expect, test } from '@jest/globals';
import { awsError } from '../../local/aws/calls.ts';
import { accept, callAndWait, isOver, openKeys, taskClient, type TaskClient } from './client.ts';
import { recordOf, useFaultsEngine } from './engine.ts';

const engine = useFaultsEngine();
let client: TaskClient;
beforeAll(() => {
  client = taskClient(engine.mcpUrl);
});

/** What the workflow was answered with, in the order it came. */
const delivered = async (taskId: string): Promise<unknown[]> => {
  const { executionArn } = await recordOf(engine, taskId);
  const { events = [] } = await engine.stepFunctions.send(
    new GetExecutionHistoryCommand({ executionArn: String(executionArn) }),
  );
  return events
    .map(({ taskSucceededEventDetails: details }) => JSON.parse(details?.output ?? '{}'))
    .filter((output) => output.key !== undefined)
    .map(({ response }) => response);
};

test.each([
  ['no content', { action: 'accept' }, 'next is required'],
  ['a value that is no choice', accept('explode'), 'next must be one of'],
  ['content that is no object', { action: 'accept', content: 'yes' }, 'content'],
  ['an unknown action', { action: 'maybe' }, 'action'],
  ['a wrapped response', { method: 'elicitation/create', result: accept('complete') }, 'bare response'],
])('%s is refused, and the question stays open', async (_, answer, problem) => {
  const { taskId, key } = await callAndWait(client, 'drive');
  await expect(client.update(taskId, { [key]: answer })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining(problem),
  });
  expect(openKeys(await client.get(taskId))).toEqual([key]);
  await client.update(taskId, { [key]: accept('complete') });
  expect(await client.until(taskId, isOver)).toMatchObject({ status: 'completed' });
  expect(await delivered(taskId)).toEqual([accept('complete')]);
});

test.each([{ action: 'decline' }, { action: 'cancel' }])('%j needs no content', async (answer) => {
  const { taskId, key } = await callAndWait(client, 'drive');
  await client.update(taskId, { [key]: answer });
  expect(await client.until(taskId, isOver)).toMatchObject({ result: { content: [{ text: 'declined' }] } });
});

test('of many answers at once the first wins, all are acknowledged, one is delivered', async () => {
  const { taskId, key } = await callAndWait(client, 'drive');
  const answers = ['complete', 'fail', 'tool_error', 'complete', 'broken'].map(accept);
  await Promise.all(answers.map((answer) => client.update(taskId, { [key]: answer })));
  await client.until(taskId, isOver);
  const [answer, ...more] = await delivered(taskId);
  expect(answers).toContainEqual(answer);
  expect(more).toEqual([]);
});

test('a partial answer leaves the other question; the next poll omits what was answered', async () => {
  const { taskId } = await client.call('pair');
  const [one, two] = openKeys(await client.until(taskId, (task) => openKeys(task).length === 2)).sort();
  await client.update(taskId, { [one!]: accept('complete') });
  expect(openKeys(await client.get(taskId))).toEqual([two]);
  // One good and one bad answer: neither is delivered.
  await expect(client.update(taskId, { [two!]: accept('nonsense') })).rejects.toMatchObject({ code: -32602 });
  await client.update(taskId, { [one!]: accept('fail'), [two!]: accept('complete'), three: accept('fail') });
  expect(await client.until(taskId, isOver)).toMatchObject({ result: { content: [{ text: 'both' }] } });
  expect(await delivered(taskId)).toEqual([accept('complete'), accept('complete')]);
});

test('an answer that comes with a cancel reaches the workflow or not; the task is cancelled or done, for good', async () => {
  for (let round = 0; round < 10; round++) {
    const { taskId, key } = await callAndWait(client, 'drive');
    await Promise.all([client.update(taskId, { [key]: accept('complete') }), client.cancel(taskId)]);
    const over = await client.until(taskId, isOver);
    expect(['completed', 'cancelled']).toContain(over.status);
    expect(await client.get(taskId)).toEqual({ ...over, pollIntervalMs: expect.any(Number) });
  }
});

test('an answer reaches a question whose publication is repeated, under another token', async () => {
  // The state's first write works and its reply is lost, so Step Functions writes again a moment later.
  let lost = false;
  const release = engine.interceptAwsCalls(async ({ caller, body }, proceed) => {
    const reply = await proceed();
    if (lost || caller !== 'workflow' || !body.includes('token')) return reply;
    lost = true;
    return awsError('InternalServerError', 'lost', 500);
  });
  const { taskId, key } = await callAndWait(client, 'drive');
  await client.update(taskId, { [key]: accept('complete') });
  release();
  expect(await client.until(taskId, isOver)).toMatchObject({ status: 'completed' });
  expect(await delivered(taskId)).toEqual([accept('complete')]);
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { connect } from '../../local/mcp-client.ts';
import { newTaskId } from '../../lambdas/protocol/task.ts';
import { seed } from '../../tools/run_migration/demo/records.ts';
import { eventually } from '../local/fixture/eventually.ts';
import { useAuthEngine } from '../support/auth-engine.ts';
import { bearer, postMcp } from '../support/http-client.ts';
import type { Answer } from '../support/wire/request.ts';

const suite = useAuthEngine();
const { engine } = suite;
type Person = 'alice' | 'bob';
const tokens = {} as Record<Person, string>;
let taskId: string;
let question: string;

const send = (person: Person, method: string, params: Record<string, unknown>) =>
  postMcp(engine.mcpUrl, method, params, bearer(tokens[person]));

/** The whole answer but for what is different in any two: the ids themselves. */
const wordsOf = ({ status, text }: Answer, id: string) => [status, text.replaceAll(id, '<id>')];

beforeAll(async () => {
  tokens.alice = await suite.issuer.token('alice');
  tokens.bob = await suite.issuer.token('bob');
  await seed(engine.documents, engine.table('Records'));
  const { body } = await send('alice', 'tools/call', {
    name: 'run_migration',
    arguments: { migration: 'retire_free_plan' },
  });
  taskId = body.result.taskId;
  // It waits for an answer, so that every method has something to do.
  question = await eventually(async () => {
    const answer = await send('alice', 'tasks/get', { taskId });
    return Object.keys(answer.body.result.inputRequests ?? {})[0];
  });
});

/** Every method that takes a task id; a new one belongs here. */
const methods: Record<string, (id: string) => Record<string, unknown>> = {
  'tasks/get': (id) => ({ taskId: id }),
  'tasks/update': (id) => ({
    taskId: id,
    inputResponses: { [question]: { action: 'accept', content: { confirm: true } } },
  }),
  'tasks/cancel': (id) => ({ taskId: id }),
  'subscriptions/listen': (id) => ({ notifications: { taskIds: [id] } }),
};

describe('a task of another tenant', () => {
  test.each(Object.keys(methods))('%s answers word for word as for an id that never was', async (method) => {
    const unknown = newTaskId();
    const foreign = await send('bob', method, methods[method]!(taskId));
    const none = await send('bob', method, methods[method]!(unknown));

    expect(wordsOf(foreign, taskId)).toEqual(wordsOf(none, unknown));
    if (method !== 'subscriptions/listen') expect(foreign.body.error?.code).toBe(-32602);
    expect(foreign.text).not.toMatch(/run_migration|Delete|alice/);
  });

  test('is as it was after all of that', async () => {
    const { body } = await send('alice', 'tasks/get', { taskId });

    expect(body.result).toMatchObject({ status: 'input_required', inputRequests: { [question]: {} } });
  });

  test.each(['user:alice#', 'alice#', '../', 'user:bob#user:alice#'])(
    'is not reached by %s in the id',
    async (prefix) => {
      const { body } = await send('bob', 'tasks/get', { taskId: `${prefix}${taskId}` });

      expect(body.error?.code).toBe(-32602);
    },
  );

  test.each([
    ['a header', { 'X-Tenant': 'user:alice', 'X-Amzn-Tenant': 'user:alice' }],
    ['another client’s name', { 'Mcp-Client': 'alice' }],
  ])('is not reached by %s that claims to be its owner', async (_, headers) => {
    const { body } = await postMcp(
      engine.mcpUrl,
      'tasks/get',
      { taskId },
      { ...bearer(tokens.bob), ...headers },
    );

    expect(body.error?.code).toBe(-32602);
  });
});

test('the record lies under the tenant’s key', async () => {
  const { Item } = await engine.documents.send(
    new GetCommand({ TableName: engine.table('Tasks'), Key: { pk: `user:alice#${taskId}` } }),
  );
  expect(Item).toMatchObject({ tenant: 'user:alice', taskId });
});

describe('identity is the person’s, not the token’s', () => {
  test('a refreshed token still reaches the task', async () => {
    const refreshed = await suite.issuer.token('alice', { client_id: 'another-app' });
    const { body } = await postMcp(engine.mcpUrl, 'tasks/get', { taskId }, bearer(refreshed));

    expect(refreshed).not.toBe(tokens.alice);
    expect(body.result.taskId).toBe(taskId);
  });

  test('a machine is another tenant than a person of the same name', async () => {
    const machine = await suite.issuer.token('alice', { client_id: 'alice' });
    const { body } = await postMcp(engine.mcpUrl, 'tasks/get', { taskId }, bearer(machine));

    expect(body.error?.code).toBe(-32602);
  });

  test('callers that take turns are never taken for each other, though the API remembers tokens', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await send('alice', 'tasks/get', { taskId })).body.result.taskId).toBe(taskId);
      expect((await send('bob', 'tasks/get', { taskId })).body.error?.code).toBe(-32602);
    }
  });
});

test('the official client completes a task with a token', async () => {
  const { session, close } = await connect(engine.mcpUrl, { headers: bearer(tokens.bob) });
  const execution = await session.callTool('countdown', { seconds: 0 });
  const { outcome } = await execution.settle();

  expect(outcome.status).toBe('completed');
  await close();
});

test('the owner’s answer lets the task go on to its end', async () => {
  await send('alice', 'tasks/update', methods['tasks/update']!(taskId));
  const status = await eventually(async () => {
    const { body } = await send('alice', 'tasks/get', { taskId });
    return body.result.status === 'completed' && body.result.status;
  });
  expect(status).toBe('completed');
});

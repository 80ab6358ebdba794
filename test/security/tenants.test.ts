import { beforeAll, describe, expect, test } from '@jest/globals';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { connect } from '../../local/mcp-client.ts';
import { newTaskId } from '../../lambdas/protocol/task.ts';
import { seed } from '../../tools/run_migration/demo/records.ts';
import { eventually } from '../local/fixture/eventually.ts';
import { useAuthEngine } from '../support/auth-engine.ts';
import { bearer, postMcp } from '../support/http-client.ts';
import { send as sendRaw, type Answer } from '../support/wire/request.ts';

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

const ANSWER = { action: 'accept', content: { confirm: true } };

/** Every method that takes a task id; a new one belongs here. */
const methods: Record<string, (id: string) => Record<string, unknown>> = {
  'tasks/get': (id) => ({ taskId: id }),
  'tasks/update': (id) => ({ taskId: id, inputResponses: { [question]: ANSWER } }),
  'tasks/cancel': (id) => ({ taskId: id }),
  'subscriptions/listen': (id) => ({ notifications: { taskIds: [id] } }),
};

/** The same for models of clients without tasks … */
const companions: Record<string, (id: string) => Record<string, unknown>> = {
  task_status: (id) => ({ taskId: id }),
  task_answer: (id) => ({ taskId: id, key: question, ...ANSWER }),
  task_cancel: (id) => ({ taskId: id }),
};

/** … and for clients of 2025-11-25, an answer to a question that went out on a stream included. */
const of2025: Record<string, (id: string) => Record<string, unknown>> = {
  'tasks/get': (id) => ({ id: 1, method: 'tasks/get', params: { taskId: id } }),
  'tasks/result': (id) => ({ id: 1, method: 'tasks/result', params: { taskId: id } }),
  'tasks/cancel': (id) => ({ id: 1, method: 'tasks/cancel', params: { taskId: id } }),
  'an answer': (id) => ({ id: `input:${id}:${question}`, result: ANSWER }),
};

const send2025 = (person: Person, message: Record<string, unknown>): Promise<Answer> =>
  sendRaw(engine.mcpUrl, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-11-25',
      ...bearer(tokens[person]),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });

describe('a task of another tenant', () => {
  /** Bob asks for Alice’s task, and for one that never was. */
  const expectTheSame = async (ask: (id: string) => Promise<Answer>): Promise<Answer> => {
    const unknown = newTaskId();
    const foreign = await ask(taskId);
    expect(wordsOf(foreign, taskId)).toEqual(wordsOf(await ask(unknown), unknown));
    expect(foreign.text).not.toMatch(/run_migration|Delete|alice/);
    return foreign;
  };

  test.each(Object.keys(methods))('%s answers word for word as for an id that never was', async (method) => {
    const { body } = await expectTheSame((id) => send('bob', method, methods[method]!(id)));
    if (method !== 'subscriptions/listen') expect(body.error?.code).toBe(-32602);
  });

  test.each(Object.keys(companions))('so does the tool %s', async (name) => {
    const { body } = await expectTheSame((id) =>
      send('bob', 'tools/call', { name, arguments: companions[name]!(id) }),
    );
    expect(body.result).toMatchObject({ isError: true });
  });

  test.each(Object.keys(of2025))('so does %s of 2025-11-25', async (method) => {
    const { body } = await expectTheSame((id) => send2025('bob', of2025[method]!(id)));
    expect(body.error?.code).toBe(-32602);
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

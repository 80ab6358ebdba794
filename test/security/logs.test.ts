import { beforeAll, expect, test } from '@jest/globals';
import { seed } from '../../tools/run_migration/demo/records.ts';
import { eventually } from '../local/fixture/eventually.ts';
import { useAuthEngine } from '../support/auth-engine.ts';
import { bearer, postMcp } from '../support/http-client.ts';

const suite = useAuthEngine();
const { engine } = suite;
let token: string;
let taskId: string;
const send = (method: string, params: Record<string, unknown>) =>
  postMcp(engine.mcpUrl, method, params, bearer(token));

/** What callers say in this run, in every place where they can say something. */
const SECRETS = [
  'hunter2-argument',
  'hunter2-answer',
  'hunter2-unknown',
  'hunter2-json',
  'hunter2-tool',
  'hunter2-key',
];

beforeAll(async () => {
  token = await suite.issuer.token('alice');
  await seed(engine.documents, engine.table('Records'));
  const call = (migration: string) =>
    send('tools/call', { name: 'run_migration', arguments: { migration, note: 'hunter2-argument' } });
  ({
    body: {
      result: { taskId },
    },
  } = await call('retire_free_plan'));
  const question = await eventually(async () => {
    const { body } = await send('tasks/get', { taskId });
    return Object.keys(body.result.inputRequests ?? {})[0];
  });
  await send('tasks/update', {
    taskId,
    inputResponses: {
      [question]: { action: 'accept', content: { confirm: true, note: 'hunter2-answer' } },
      'hunter2-key': { action: 'accept' },
    },
  });
  await eventually(async () => (await send('tasks/get', { taskId })).body.result.status === 'completed');

  const failing = await call('hunter2-unknown');
  const failed = { taskId: failing.body.result.taskId };
  await eventually(async () => (await send('tasks/get', failed)).body.result.status === 'completed');
  await send('tools/call', { name: 'countdown', arguments: { seconds: 'hunter2-argument' } });
  await send('tools/call', { name: 'hunter2-tool', arguments: {} });
  await fetch(engine.mcpUrl, {
    method: 'POST',
    headers: { ...bearer(token), 'Content-Type': 'application/json', Accept: 'application/json' },
    body: '{ "hunter2-json',
  });
  await postMcp(
    engine.mcpUrl,
    'tools/list',
    {},
    bearer(await suite.issuer.token('alice', { aud: 'hunter2-token' })),
  );
  await eventually(() => engine.logs.some((line) => line.includes('Token refused')));
});

const entries = () =>
  engine.logs
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('say which task, of which tool, and whose', async () => {
  expect(entries()).toContainEqual(
    expect.objectContaining({ message: 'Task created', taskId, tool: 'run_migration', tenant: 'user:alice' }),
  );
  expect(entries()).toContainEqual(
    expect.objectContaining({ message: 'Task answered', taskId, tenant: 'user:alice' }),
  );
});

test('never say what was asked, answered or found, and no token', () => {
  const everything = engine.logs.join('\n');

  expect(engine.logs.length).toBeGreaterThan(3);
  for (const secret of [
    ...SECRETS,
    'hunter2-token',
    token,
    token.split('.')[2]!,
    'records updated',
    'Delete 47',
  ]) {
    expect(everything).not.toContain(secret);
  }
});

test('are JSON, every line of them', () => {
  expect(engine.logs.filter((line) => !line.startsWith('{'))).toEqual([]);
});

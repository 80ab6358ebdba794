import { describe, expect, test } from '@jest/globals';
import { PAYLOAD_LIMIT_BYTES } from '../../../lambdas/protocol/payload.ts';
import { payloadOf, serve } from '../../support/mcp.ts';
import { QUESTION } from '../../support/tools.ts';

const ACCEPT = { action: 'accept', content: { sure: true } };
const DECLINE = { action: 'decline' };

const ref = (taskId: string) => ({ tenant: 'alice', taskId });

/** A task that waits for two answers. */
const waiting = async () => {
  const server = serve();
  const task = await server.startTask('deploy', {});
  task.workflow.ask('first-1', QUESTION, 'token-1');
  task.workflow.ask('second-2', QUESTION, 'token-2');
  return { ...server, ...task };
};

test('an answer goes to the waiting state with its key, and is acknowledged with an empty result', async () => {
  const { tasks, taskId, ports } = await waiting();
  const { status, body } = await tasks.update(taskId, { 'first-1': ACCEPT });

  expect(status).toBe(200);
  expect(payloadOf(body.result)).toEqual({ resultType: 'complete' });
  expect([...ports.answers]).toEqual([['token-1', { key: 'first-1', response: ACCEPT }]]);
});

test('costs one read, and per answer one callback, then one write', async () => {
  const { tasks, taskId, ports } = await waiting();
  await tasks.update(taskId, { 'first-1': ACCEPT, 'second-2': DECLINE });

  expect(ports.calls).toEqual([
    'store.get',
    'workflows.answer',
    'store.clearInput',
    'workflows.answer',
    'store.clearInput',
  ]);
});

test('a partial answer leaves the rest open, and the very next tasks/get shows only that', async () => {
  const { tasks, taskId } = await waiting();
  const before = (await tasks.get(taskId)).body.result.inputRequests;
  await tasks.update(taskId, { 'first-1': ACCEPT });
  const { body } = await tasks.get(taskId);

  expect(body.result.status).toBe('input_required');
  expect(body.result.inputRequests).toEqual({ 'second-2': before['second-2'] });
});

test('with the last answer the task works again', async () => {
  const { tasks, taskId } = await waiting();
  await tasks.update(taskId, { 'first-1': ACCEPT, 'second-2': DECLINE });
  const { body } = await tasks.get(taskId);

  expect(body.result.status).toBe('working');
  expect(body.result).not.toHaveProperty('inputRequests');
});

describe('keys that are not open are acknowledged without effect', () => {
  test.each(['never-issued', 'first-1 ', 'toString', 'constructor', 'hasOwnProperty', ''])(
    '%j',
    async (key) => {
      const { tasks, taskId, ports, ref } = await waiting();
      const before = ports.record(ref);
      const { status, body } = await tasks.update(taskId, { [key]: ACCEPT });

      expect(status).toBe(200);
      expect(body.result.resultType).toBe('complete');
      expect(ports.calls).toEqual(['store.get']);
      expect(ports.record(ref)).toEqual(before);
    },
  );

  test('__proto__, as JSON spells it, beside an open one', async () => {
    const { request, taskId, ports } = await waiting();
    const inputResponses = JSON.parse(`{ "__proto__": {}, "first-1": ${JSON.stringify(ACCEPT)} }`);
    const { body } = await request('tasks/update', { taskId, inputResponses });

    expect(body.result.resultType).toBe('complete');
    expect([...ports.answers.keys()]).toEqual(['token-1']);
  });

  test('a stale key beside an open one: the open one is answered', async () => {
    const { tasks, taskId, ports } = await waiting();
    await tasks.update(taskId, { 'first-1': ACCEPT });
    await tasks.update(taskId, { 'first-1': DECLINE, 'second-2': DECLINE });

    expect([...ports.answers]).toEqual([
      ['token-1', { key: 'first-1', response: ACCEPT }],
      ['token-2', { key: 'second-2', response: DECLINE }],
    ]);
  });

  test.each(['completed', 'failed', 'cancelled'])('a task that has %s', async (end) => {
    const { tasks, taskId, ports, ref, workflow } = await waiting();
    if (end === 'completed') workflow.complete({ resultType: 'complete', content: [] });
    if (end === 'failed') workflow.fail({ code: -32603, message: 'It broke.' });
    if (end === 'cancelled') await tasks.cancel(taskId);
    const before = ports.record(ref);
    const { status, body } = await tasks.update(taskId, { 'first-1': ACCEPT });

    expect(status).toBe(200);
    expect(body.result.resultType).toBe('complete');
    expect(ports.answers.size).toBe(0);
    expect(ports.record(ref)).toEqual(before);
  });
});

describe('a crash between the two writes', () => {
  test('after the callback: a retry meets a spent token and waits for the workflow to clear the question', async () => {
    const { tasks, taskId, ports, workflow } = await waiting();
    ports.crashAt('store.clearInput');
    expect((await tasks.update(taskId, { 'first-1': ACCEPT })).body.error?.code).toBe(-32603);

    ports.during('store.get', () =>
      // The second look at the record: the first found the question open.
      ports.during('store.get', () => workflow.answered('first-1')),
    );
    const { body } = await tasks.update(taskId, { 'first-1': DECLINE });
    expect(body.result.resultType).toBe('complete');
    expect(ports.answers.get('token-1')).toEqual({ key: 'first-1', response: ACCEPT });
    expect((await tasks.get(taskId)).body.result.inputRequests).not.toHaveProperty('first-1');
  });

  test('a spent token whose question comes back under another token: the answer reaches that', async () => {
    const { tasks, taskId, ports, workflow } = await waiting();
    ports.answers.set('token-1', 'the state gave it up');
    ports.during('workflows.answer', () => workflow.ask('first-1', QUESTION, 'token-3'));
    await tasks.update(taskId, { 'first-1': ACCEPT });

    expect(ports.answers.get('token-3')).toEqual({ key: 'first-1', response: ACCEPT });
    expect(ports.record(ref(taskId))?.inputs).not.toHaveProperty('first-1');
  });

  test('a spent token whose question stays open is no silent loss: the client is told to send it again', async () => {
    const { tasks, taskId, ports } = await waiting();
    ports.answers.set('token-1', 'the state gave it up');
    const { body } = await tasks.update(taskId, { 'first-1': ACCEPT });

    expect(body.error).toMatchObject({ code: -32603, data: { retryAfterMs: expect.any(Number) } });
  });

  test('before the callback: the question stays open', async () => {
    const { tasks, taskId, ports } = await waiting();
    ports.crashAt('workflows.answer');
    expect((await tasks.update(taskId, { 'first-1': ACCEPT })).body.error?.code).toBe(-32603);

    expect((await tasks.get(taskId)).body.result.inputRequests).toHaveProperty('first-1');
  });

  test('at the second of two answers: the first one stands, a retry delivers the second', async () => {
    const { tasks, taskId, ports } = await waiting();
    ports.during('store.clearInput', () => ports.crashAt('workflows.answer'));
    await tasks.update(taskId, { 'first-1': ACCEPT, 'second-2': DECLINE });
    expect([...ports.answers.keys()]).toEqual(['token-1']);

    await tasks.update(taskId, { 'first-1': ACCEPT, 'second-2': DECLINE });
    expect([...ports.answers.keys()]).toEqual(['token-1', 'token-2']);
    expect((await tasks.get(taskId)).body.result.status).toBe('working');
  });
});

test('the task ends while the answer is on its way: acknowledged, and the end stays', async () => {
  const { tasks, taskId, ports, workflow } = await waiting();
  ports.during('workflows.answer', () => workflow.complete({ resultType: 'complete', content: [] }));
  const { body } = await tasks.update(taskId, { 'first-1': ACCEPT });

  expect(body.result.resultType).toBe('complete');
  expect((await tasks.get(taskId)).body.result.status).toBe('completed');
});

describe('ill-formed answers are refused as a whole, and nothing changes', () => {
  test.each([
    ['no inputResponses', undefined],
    ['a text', 'yes'],
    ['null', null],
    ['a list', [ACCEPT]],
    ['a text as an answer', { 'first-1': 'yes' }],
    ['a wrapped answer', { 'first-1': { method: 'elicitation/create', result: ACCEPT } }],
    ['one of two is ill-formed', { 'first-1': ACCEPT, 'second-2': 5 }],
  ])('%s', async (_, inputResponses) => {
    const { tasks, taskId, ports, ref } = await waiting();
    const before = ports.record(ref);
    const { body } = await tasks.update(taskId, inputResponses);

    expect(body.error?.code).toBe(-32602);
    expect(body.error?.message).toContain('inputResponses');
    expect(ports.answers.size).toBe(0);
    expect(ports.record(ref)).toEqual(before);
  });

  test('an answer that no callback can carry', async () => {
    const { tasks, taskId, ports } = await waiting();
    const large = { action: 'accept', content: { text: 'x'.repeat(PAYLOAD_LIMIT_BYTES) } };
    const { body } = await tasks.update(taskId, { 'first-1': ACCEPT, 'second-2': large });

    expect(body.error?.code).toBe(-32602);
    expect(body.error?.message).toContain('256 KB');
    expect(ports.answers.size).toBe(0);
    expect(Object.keys((await tasks.get(taskId)).body.result.inputRequests)).toEqual(['first-1', 'second-2']);
  });
});

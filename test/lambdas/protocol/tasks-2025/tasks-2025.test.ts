import { describe, expect, test } from '@jest/globals';
import { CreateTaskResultV1Schema, GetTaskResultV1Schema } from '@modelcontextprotocol/ext-tasks/core/v1';
import { serve } from '../../../support/mcp.ts';
import { QUESTION, tools } from '../../../support/tools.ts';

const RELATED = 'io.modelcontextprotocol/related-task';
const DONE = {
  content: [{ type: 'text', text: 'Built.' }],
  structuredContent: { size: 3 },
  resultType: 'complete',
};

const serving = (over: Parameters<typeof serve>[0] = {}) => {
  const served = serve({
    legacyTasks: true,
    tools: { ...tools, hand: { ...tools.build, withoutTasks: 'handle' }, asked_first: tools.build },
    handlers: { add: () => ({ content: [] }), asked_first: () => ({ content: [] }) },
    ...over,
  });
  const start = async (name = 'build', args: unknown = { what: 'a bridge' }) => {
    const { body } = await served.legacyRequest('tools/call', {
      name,
      arguments: args,
      task: { ttl: 60_000 },
    });
    CreateTaskResultV1Schema.parse(body.result);
    const { taskId } = body.result.task as { taskId: string };
    const ref = { tenant: 'alice', taskId };
    served.ports.calls.length = 0;
    return { taskId, ref, workflow: served.ports.workflow(ref), result: body.result };
  };
  const get = async (taskId: string) => {
    const { body } = await served.legacyRequest('tasks/get', { taskId });
    return GetTaskResultV1Schema.parse(body.result);
  };
  const answer = (id: string, message: Record<string, unknown>, revision = '2025-11-25') =>
    served.post(JSON.stringify({ jsonrpc: '2.0', id, ...message }), { 'MCP-Protocol-Version': revision });
  return { ...served, start, get, answer };
};

const initialize = async (served: ReturnType<typeof serve>, protocolVersion: string) => {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'old', version: '1' } };
  const { body } = await served.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
  return body.result;
};

describe('who is told', () => {
  test('a client of 2025-11-25: all but a list', async () => {
    const { capabilities } = await initialize(serving(), '2025-11-25');
    expect(capabilities.tasks).toEqual({ cancel: {}, requests: { tools: { call: {} } } });
  });

  test.each(['2025-06-18', '2025-03-26'])('a client of %s is not', async (revision) => {
    const result = await initialize(serving(), revision);
    expect(result.protocolVersion).toBe(revision);
    expect(result.capabilities).not.toHaveProperty('tasks');
  });

  test('nobody is where the setting is off', async () => {
    const { capabilities } = await initialize(serving({ legacyTasks: false }), '2025-11-25');
    expect(capabilities).not.toHaveProperty('tasks');
  });

  const support = async (served: ReturnType<typeof serving>, revision?: string) => {
    const { body } = revision
      ? await served.legacyRequest('tools/list', {}, revision)
      : await served.request('tools/list');
    return Object.fromEntries(
      body.result.tools.map((tool: { name: string; execution?: { taskSupport: string } }) => [
        tool.name,
        tool.execution?.taskSupport,
      ]),
    );
  };

  test('every tool says whether it runs as such a task', async () => {
    expect(await support(serving(), '2025-11-25')).toMatchObject({
      build: 'required',
      deploy: 'required',
      hand: 'optional',
      add: undefined,
      asked_first: undefined,
      task_status: undefined,
    });
  });

  test('a tool that asks does not, where responses do not stream', async () => {
    const { deploy, build } = await support(serving({ wait: { ms: 100, streams: false } }), '2025-11-25');
    expect([deploy, build]).toEqual([undefined, 'required']);
  });

  test.each(['2025-06-18', undefined])('nothing of it is listed on %s', async (revision) => {
    expect(Object.values(await support(serving(), revision)).every((value) => value === undefined)).toBe(
      true,
    );
  });
});

describe('a call', () => {
  test('with params.task is answered with a nested task', async () => {
    const { start, ports } = serving();
    const { result, ref } = await start();
    expect(Object.keys(result).filter((name) => name !== '_meta')).toEqual(['task']);
    expect(result.task).toMatchObject({ status: 'working', ttl: 3_600_000, pollInterval: 500 });
    expect(ports.record(ref)?.status).toBe('working');
  });

  test.each([
    ['a synchronous tool', 'add', -32601],
    ['a tool that asks before its task', 'asked_first', -32601],
    ['arguments that do not fit', 'build', -32602],
  ])('for %s is an error, not a result', async (_, name, code) => {
    const { legacyRequest, ports } = serving();
    const { body } = await legacyRequest('tools/call', { name, arguments: {}, task: {} });
    expect(body.error?.code).toBe(code);
    expect(ports.calls).toEqual([]);
  });

  test('without params.task of a tool that must run as one is -32601; of another it is an ordinary call', async () => {
    const { legacyRequest } = serving();
    const params = { name: 'build', arguments: { what: 'a bridge' } };
    expect((await legacyRequest('tools/call', params)).body.error?.code).toBe(-32601);
    const { body } = await legacyRequest('tools/call', { ...params, name: 'hand' });
    expect(body.result.structuredContent).toMatchObject({ status: 'working' });
  });

  test('on 2025-06-18 the parameter has no meaning', async () => {
    const { legacyRequest } = serving();
    const params = { name: 'hand', arguments: { what: 'a bridge' }, task: {} };
    const { body } = await legacyRequest('tools/call', params, '2025-06-18');
    expect(body.result).not.toHaveProperty('task');
    expect(body.result.structuredContent).toMatchObject({ status: 'working' });
  });
});

describe('tasks/get', () => {
  test('reads a task in the words of that revision', async () => {
    const { start, get } = serving();
    const { taskId, workflow } = await start('deploy', {});
    workflow.report('Half of it');
    expect(await get(taskId)).toMatchObject({ taskId, status: 'working', statusMessage: 'Half of it' });
    workflow.ask('sure-1', QUESTION);
    const asked = await get(taskId);
    expect(asked.status).toBe('input_required');
    expect(asked).not.toHaveProperty('inputRequests');
    expect(asked).not.toHaveProperty('ttlMs');
    workflow.complete(DONE);
    const done = await get(taskId);
    expect(done.status).toBe('completed');
    expect(done).not.toHaveProperty('result');
  });

  test('a tool error is a failed task there, and a completed one here', async () => {
    const { start, get, tasks } = serving();
    const { taskId, workflow } = await start();
    workflow.complete({ ...DONE, isError: true });
    expect(await get(taskId)).toMatchObject({ status: 'failed', statusMessage: 'Built.' });
    expect((await tasks.get(taskId)).body.result.status).toBe('completed');
  });
});

describe('tasks/result', () => {
  test('blocks until the task ends, and says whose result it is', async () => {
    const { start, legacyRequest } = serving();
    const { taskId, workflow } = await start();
    const result = legacyRequest('tasks/result', { taskId });
    workflow.complete(DONE);
    expect((await result).body.result).toEqual({
      content: DONE.content,
      structuredContent: DONE.structuredContent,
      _meta: { [RELATED]: { taskId } },
    });
  });

  test('is the tool’s error result, or the request’s error, exactly', async () => {
    const { start, legacyRequest } = serving();
    const first = await start();
    first.workflow.complete({ ...DONE, isError: true });
    expect((await legacyRequest('tasks/result', { taskId: first.taskId })).body.result.isError).toBe(true);
    const second = await start();
    second.workflow.fail({ code: -32000, message: 'The backend is down.' });
    expect((await legacyRequest('tasks/result', { taskId: second.taskId })).body.error).toMatchObject({
      code: -32000,
      message: 'The backend is down.',
    });
  });

  test('of a cancelled task there is none', async () => {
    const { start, legacyRequest } = serving();
    const { taskId } = await start();
    await legacyRequest('tasks/cancel', { taskId });
    expect((await legacyRequest('tasks/result', { taskId })).body.error?.code).toBe(-32602);
  });

  test('ends with an error that says to ask again, when the request’s time is over', async () => {
    const { start, legacyRequest } = serving({ wait: { ms: 50, streams: false } });
    const { taskId } = await start();
    expect((await legacyRequest('tasks/result', { taskId })).body.error).toMatchObject({
      code: -32001,
      message: expect.stringContaining('It goes on'),
    });
  });

  test('carries a question; its answer comes in another request', async () => {
    const { start, legacyRequest, answer, ports } = serving();
    const { taskId, workflow } = await start('deploy', {});
    workflow.ask('sure-1', QUESTION);
    // With its second look it has put on the stream what the first one showed.
    const looked = new Promise<void>((resolve) => {
      ports.during('store.get', () => ports.during('store.get', resolve));
    });
    const stream = legacyRequest('tasks/result', { taskId });
    await looked;
    ports.during('workflows.answer', () => workflow.complete(DONE));
    const { status } = await answer(`input:${taskId}:sure-1`, {
      result: { action: 'accept', content: { sure: true } },
    });
    expect(status).toBe(202);

    const { messages } = await stream;
    expect(messages).toHaveLength(2);
    expect(messages[0]).toMatchObject({
      id: `input:${taskId}:sure-1`,
      method: 'elicitation/create',
      params: { ...QUESTION.params, _meta: { [RELATED]: { taskId } } },
    });
    expect(messages[1]?.result.content).toEqual(DONE.content);
    expect(ports.answers.get('token of sure-1')).toEqual({
      key: 'sure-1',
      response: { action: 'accept', content: { sure: true } },
    });
  });
});

describe('an answer', () => {
  const asking = async () => {
    const served = serving();
    const task = await served.start('deploy', {});
    task.workflow.ask('sure-1', QUESTION);
    return { ...served, ...task };
  };
  const YES = { result: { action: 'accept', content: { sure: true } } };

  test('of another tenant’s changes nothing, and reads like an unknown task’s', async () => {
    const { answer, caller, taskId, ports } = await asking();
    caller.tenant = 'bob';
    const foreign = await answer(`input:${taskId}:sure-1`, YES);
    const unknown = await answer('input:tsk_AAAAAAAAAAAAAAAAAAAAAA:sure-1', YES);
    expect([foreign.status, foreign.body]).toEqual([unknown.status, unknown.body]);
    expect(foreign.status).toBe(400);
    expect(ports.answers.size).toBe(0);
  });

  test.each(['sure-2', 'constructor', '__proto__'])(
    'to %s, which is not open, has no effect',
    async (key) => {
      const { answer, taskId, ports } = await asking();
      expect((await answer(`input:${taskId}:${key}`, YES)).status).toBe(202);
      expect(ports.answers.size).toBe(0);
    },
  );

  test('that is an error means that nobody decided', async () => {
    const { answer, taskId, ports } = await asking();
    await answer(`input:${taskId}:sure-1`, { error: { code: -32601, message: 'Method not found' } });
    expect(ports.answers.get('token of sure-1')).toEqual({ key: 'sure-1', response: { action: 'cancel' } });
  });

  test('counts on 2025-11-25 only', async () => {
    const { answer, taskId, ports } = await asking();
    await answer(`input:${taskId}:sure-1`, YES, '2025-06-18');
    expect(ports.answers.size).toBe(0);
  });
});

describe('tasks/cancel', () => {
  test('answers when the task is cancelled', async () => {
    const { start, legacyRequest, ports } = serving();
    const { taskId, ref } = await start();
    const { body } = await legacyRequest('tasks/cancel', { taskId });
    expect(body.result).toMatchObject({ taskId, status: 'cancelled' });
    expect(ports.record(ref)?.status).toBe('cancelled');
    expect(ports.stopped).toHaveLength(1);
  });

  test.each([
    ['completed', DONE],
    ['failed', { ...DONE, isError: true }],
  ])('of a %s task is refused', async (status, result) => {
    const { start, legacyRequest } = serving();
    const { taskId, workflow } = await start();
    workflow.complete(result);
    const { body } = await legacyRequest('tasks/cancel', { taskId });
    expect(body.error).toMatchObject({
      code: -32602,
      message: `Cannot cancel task: already in terminal status '${status}'`,
    });
  });

  test('that comes too late is refused as well', async () => {
    const { start, legacyRequest, ports } = serving();
    const { taskId, workflow } = await start();
    ports.during('workflows.stop', () => workflow.complete(DONE));
    expect((await legacyRequest('tasks/cancel', { taskId })).body.error?.code).toBe(-32602);
  });
});

test.each(['tasks/get', 'tasks/result', 'tasks/cancel'])(
  '%s knows no other tenant’s task',
  async (method) => {
    const { start, legacyRequest, caller } = serving();
    const { taskId } = await start();
    caller.tenant = 'bob';
    const { body } = await legacyRequest(method, { taskId });
    expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining('Unknown task') });
  },
);

test.each(['tasks/list', 'tasks/update'])('%s is not there', async (method) => {
  const { start, legacyRequest } = serving();
  const { taskId } = await start();
  expect((await legacyRequest(method, { taskId, inputResponses: {} })).body.error?.code).toBe(-32601);
});

test.each(['tasks/get', 'tasks/result', 'tasks/cancel'])('%s is not there on 2025-06-18', async (method) => {
  const { start, legacyRequest } = serving();
  const { taskId } = await start();
  expect((await legacyRequest(method, { taskId }, '2025-06-18')).body.error?.code).toBe(-32601);
});

test('a task of one revision can be read and cancelled on the other', async () => {
  const { start, startTask, legacyRequest, tasks, get } = serving();
  const old = await start();
  expect((await tasks.get(old.taskId)).body.result).toMatchObject({ status: 'working', ttlMs: 3_600_000 });
  await tasks.cancel(old.taskId);
  expect((await get(old.taskId)).status).toBe('cancelled');

  const { taskId } = await startTask();
  expect((await get(taskId)).status).toBe('working');
  await legacyRequest('tasks/cancel', { taskId });
  expect((await tasks.get(taskId)).body.result.status).toBe('cancelled');
});

test.each(['tasks/list', 'tasks/result'])('%s is not there on 2026-07-28', async (method) => {
  const { request, start } = serving();
  const { taskId } = await start();
  const { status, body } = await request(method, { taskId });
  expect([status, body.error?.code]).toEqual([404, -32601]);
});

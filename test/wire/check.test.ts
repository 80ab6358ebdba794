import { describe, expect, test } from '@jest/globals';
import { checkedResponse } from '../support/wire/checked-response.ts';
import { mcpRequest } from '../support/wire/request.ts';

/** The checks that every answer of the suite goes through: they let good ones pass, and no others. */
const META = { 'io.modelcontextprotocol/serverInfo': { name: 'test', version: '1' } };
const TIMES = { createdAt: '2026-07-28T12:00:00Z', lastUpdatedAt: '2026-07-28T12:00:00Z' };
const TASK = { taskId: 'tsk_1', status: 'working', ...TIMES, ttlMs: 60_000, pollIntervalMs: 500 };
const RESULT = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };

const answer = async (
  method: string,
  body: object,
  { status = 200, capabilities = undefined as object | undefined } = {},
) => {
  const sent = mcpRequest(method, { taskId: 'tsk_1', name: 'any' }, { capabilities }).body as string;
  const response = await checkedResponse(sent, Response.json({ jsonrpc: '2.0', id: 1, ...body }, { status }));
  return response.json();
};
const result = (method: string, value: object, options?: Parameters<typeof answer>[2]) =>
  answer(method, { result: { _meta: META, ...value } }, options);

describe('answers', () => {
  const completed = { ...TASK, status: 'completed', result: RESULT };
  const failed = { ...TASK, status: 'failed', statusMessage: 'No', error: { code: -32603, message: 'No' } };

  test.each([
    ['a created task', 'tools/call', { resultType: 'task', ...TASK }],
    ['a result', 'tools/call', RESULT],
    ['a working task', 'tasks/get', { resultType: 'complete', ...TASK }],
    ['a completed task', 'tasks/get', { resultType: 'complete', ...completed }],
    ['a failed task', 'tasks/get', { resultType: 'complete', ...failed }],
    ['an acknowledgement', 'tasks/update', { resultType: 'complete' }],
  ])('%s passes', async (_, method, value) => {
    expect(await result(method, value)).toMatchObject({ result: value });
  });

  test.each([
    ['no resultType', 'tasks/get', TASK],
    ['a nested task', 'tools/call', { resultType: 'task', ...TASK, task: TASK }],
    ['content in a created task', 'tools/call', { resultType: 'task', ...TASK, content: [] }],
    ['a ttl of the 2025 revision', 'tools/call', { resultType: 'task', ...TASK, ttl: 1 }],
    ['a created task from tasks/get', 'tasks/get', { resultType: 'task', ...TASK }],
    ['a status that is none', 'tasks/get', { resultType: 'complete', ...TASK, status: 'submitted' }],
    ['another task', 'tasks/get', { resultType: 'complete', ...TASK, taskId: 'tsk_2' }],
    [
      'a completed task without result',
      'tasks/get',
      { resultType: 'complete', ...TASK, status: 'completed' },
    ],
    ['a working task with one', 'tasks/get', { resultType: 'complete', ...TASK, result: RESULT }],
    [
      'a result without its own resultType',
      'tasks/get',
      { resultType: 'complete', ...completed, result: { content: [] } },
    ],
    [
      'a failed task without words',
      'tasks/get',
      { resultType: 'complete', ...failed, statusMessage: undefined },
    ],
    [
      'input_required without requests',
      'tasks/get',
      { resultType: 'complete', ...TASK, status: 'input_required' },
    ],
    ['an acknowledgement that says more', 'tasks/cancel', { resultType: 'complete', ...TASK }],
    ['no server info', 'tasks/update', { resultType: 'complete', _meta: {} }],
    [
      'a stack trace',
      'tools/call',
      { resultType: 'complete', content: [{ type: 'text', text: 'x\n    at f (a.ts:1:2)' }] },
    ],
  ])('%s does not', async (_, method, value) => {
    await expect(result(method, value)).rejects.toThrow();
  });

  test('a task for a client that did not ask for such is caught', async () => {
    await expect(
      result('tools/call', { resultType: 'task', ...TASK }, { capabilities: {} }),
    ).rejects.toThrow();
  });

  test.each([
    ['another id', { id: 2, error: { code: -32602, message: 'No' } }, 200],
    ['a code that is no integer', { error: { code: 1.5, message: 'No' } }, 200],
    ['no message', { error: { code: -32602, message: '' } }, 200],
    [
      '-32021 with 200',
      { error: { code: -32021, message: 'No', data: { requiredCapabilities: { x: {} } } } },
      200,
    ],
    [
      '-32021 that names nothing',
      { error: { code: -32021, message: 'No', data: { requiredCapabilities: {} } } },
      400,
    ],
    ['-32601 with 200', { error: { code: -32601, message: 'No' } }, 200],
    ['a code of an earlier revision', { error: { code: -32002, message: 'No' } }, 200],
    ['an ARN', { error: { code: -32602, message: 'arn:aws:states:us-east-1:1:execution:x:y' } }, 200],
  ])('an error with %s is caught', async (_, body, status) => {
    await expect(answer('tasks/get', body, { status })).rejects.toThrow();
  });
});

describe('listen streams', () => {
  const subscription = { _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } };
  const ack = {
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { taskIds: ['tsk_1'] }, ...subscription },
  };
  const told = { method: 'notifications/tasks', params: { ...TASK, ...subscription } };
  const end = { id: 1, result: { resultType: 'complete', _meta: { ...META, ...subscription._meta } } };

  const stream = async (...messages: object[]): Promise<string> => {
    const sent = mcpRequest('subscriptions/listen', { notifications: { taskIds: ['tsk_1'] } }).body as string;
    const text = messages
      .map((message) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
      .join('');
    const headers = { 'content-type': 'text/event-stream' };
    return (await checkedResponse(sent, new Response(text, { headers }))).text();
  };

  test('a good one passes', async () => {
    expect(await stream(ack, told, end)).toContain('tsk_1');
  });

  test.each([
    ['no acknowledgement', [told, end]],
    ['a task that was not agreed to', [ack, { ...told, params: { ...told.params, taskId: 'tsk_2' } }]],
    ['a notification without its subscription', [ack, { ...told, params: TASK }]],
    [
      'a notification with a resultType',
      [ack, { ...told, params: { ...told.params, resultType: 'complete' } }],
    ],
    [
      'progress',
      [ack, { method: 'notifications/progress', params: { progressToken: 1, progress: 1, ...subscription } }],
    ],
    [
      'a log message',
      [ack, { method: 'notifications/message', params: { level: 'info', data: 'x', ...subscription } }],
    ],
    ['something after the end', [ack, end, told]],
    ['an end without its subscription', [ack, { ...end, result: { resultType: 'complete', _meta: META } }]],
  ])('%s is caught', async (_, messages) => {
    await expect(stream(...messages)).rejects.toThrow();
  });
});

import { describe, expect, test } from '@jest/globals';
import { REVISION, serve } from '../../support/mcp.ts';

describe('methods that the 2026-07-28 revision does not have', () => {
  test.each(['tasks/list', 'tasks/result', 'tasks/delete', 'initialize', 'ping'])('%s', async (method) => {
    const { ports, request, startTask } = serve();
    const { taskId } = await startTask();
    const { status, body } = await request(method, { taskId });

    expect(status).toBe(404);
    expect(body).toMatchObject({ id: 1, error: { code: -32601 } });
    expect(ports.calls).toEqual([]);
  });
});

describe('Mcp-Name', () => {
  test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('%s: has to be the task id', async (method) => {
    const { ports, request, startTask } = serve();
    const { taskId } = await startTask();
    const params = { taskId, inputResponses: {} };

    for (const name of [null, 'tsk_another_task_entirely', taskId.toUpperCase()]) {
      const { status, body } = await request(method, params, { headers: { 'Mcp-Name': name } });
      expect(status).toBe(400);
      expect(body).toMatchObject({ id: 1, error: { code: -32020 } });
    }
    expect(ports.calls).toEqual([]);
  });

  test('tools/call: has to be the tool', async () => {
    const { ports, call } = serve();

    for (const name of [null, 'add']) {
      const { status, body } = await call('build', { what: 'a bridge' }, { headers: { 'Mcp-Name': name } });
      expect(status).toBe(400);
      expect(body.error?.code).toBe(-32020);
    }
    expect(ports.calls).toEqual([]);
  });
});

test.each(['MCP-Protocol-Version', 'Mcp-Method'])('%s is required', async (header) => {
  const { status, body } = await serve().request('tools/list', {}, { headers: { [header]: null } });

  expect(status).toBe(400);
  expect(body.error?.code).toBe(-32020);
});

test('a version that is not served: both sides named, and the request’s id echoed', async () => {
  const { status, body } = await serve().request(
    'tools/list',
    {},
    {
      id: 'abc',
      headers: { 'MCP-Protocol-Version': '2099-01-01' },
      meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
    },
  );

  expect(status).toBe(400);
  expect(body).toMatchObject({
    id: 'abc',
    error: { code: -32022, data: { supported: [REVISION], requested: '2099-01-01' } },
  });
});

describe('bodies that are no request', () => {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
    params: { _meta: { 'io.modelcontextprotocol/protocolVersion': REVISION } },
  };

  test.each([
    ['an empty array', '[]', -32600],
    ['an array of one', JSON.stringify([message]), -32600],
    ['an array of two', JSON.stringify([message, { ...message, id: 2 }]), -32600],
    ['broken JSON', '{"jsonrpc": "2.0", "id": 1', -32700],
    ['nothing', '', -32700],
    ['a text', '"tools/list"', -32600],
    ['null', 'null', -32600],
    ['an object that is no message', '{"hello": "world"}', -32600],
  ])('%s', async (_, body, code) => {
    const answer = await serve().post(body, { 'MCP-Protocol-Version': REVISION, 'Mcp-Method': 'tools/list' });

    expect(answer.status).toBe(400);
    expect(answer.body.error?.code).toBe(code);
    expect(answer.body.id ?? null).toBeNull();
  });
});

test('the answer carries the id of its request, be it a text or a number', async () => {
  for (const id of [0, 7, 'abc', '']) {
    const { body } = await serve().request('tools/list', {}, { id });
    expect(body.id).toBe(id);
  }
});

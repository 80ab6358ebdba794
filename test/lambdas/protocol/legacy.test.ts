import { describe, expect, test } from '@jest/globals';
import { serve } from '../../support/mcp.ts';

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

test('a client of the 2025 revisions can connect, and is not shown the extension', async () => {
  const { status, body } = await serve().legacyRequest('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { tasks: { requests: { tools: { call: {} } } } },
    clientInfo: { name: 'old', version: '1.0.0' },
  });

  expect(status).toBe(200);
  expect(body.result.protocolVersion).toBe('2025-11-25');
  expect(body.result.capabilities).not.toHaveProperty('extensions');
  expect(body.result.capabilities).not.toHaveProperty('tasks');
});

test('its synchronous tools work', async () => {
  const { body } = await serve().legacyRequest('tools/call', { name: 'add', arguments: { a: 1, b: 2 } });

  expect(body.result).toMatchObject({ structuredContent: { sum: 3 } });
});

describe('a task tool is refused in words: a task would read as an empty success', () => {
  test.each([
    ['as it is', {}],
    ['with the 2025 task parameter', { task: { ttl: 60_000 } }],
    [
      'with capabilities of a revision it does not speak',
      { _meta: { 'io.modelcontextprotocol/clientCapabilities': TASKS } },
    ],
  ])('%s', async (_, params) => {
    const { ports, legacyRequest } = serve();
    const { body } = await legacyRequest('tools/call', {
      name: 'build',
      arguments: { what: 'a bridge' },
      ...params,
    });

    expect(body).not.toHaveProperty('result');
    expect(body.error?.message).toMatch(/build runs as a task/);
    expect(ports.calls).toEqual([]);
  });
});

test.each(['tasks/get', 'tasks/update', 'tasks/cancel', 'tasks/list', 'tasks/result'])(
  '%s of the 2025 revision is not there',
  async (method) => {
    const { ports, legacyRequest, startTask } = serve();
    const { taskId } = await startTask();
    const { body } = await legacyRequest(method, { taskId });

    expect(body.error?.code).toBe(-32601);
    expect(ports.calls).toEqual([]);
  },
);

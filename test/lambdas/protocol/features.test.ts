import { describe, expect, test } from '@jest/globals';
import { inputRequired } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { PROTOCOL_VERSION } from '../../../local/mcp-client.ts';
import { defineSyncTool } from '../../../lambdas/protocol/define-tool.ts';
import { mcpFetchFor } from '../../../lambdas/protocol/mcp-fetch.ts';
import type { Server } from '../../../lambdas/protocol/mcp-server.ts';
import type { RpcResponse } from '../../support/tasks-client.ts';

const tool = (title: string) =>
  defineSyncTool({
    title,
    description: `${title}.`,
    inputSchema: z.object({}),
    outputSchema: z.object({ count: z.int() }),
    annotations: { readOnlyHint: true },
  });

/** A server of this template over HTTP without AWS behind it, and what it logs. */
const serverWith = (parts: Partial<Server>) => {
  const logged: unknown[] = [];
  const log = { warn: () => {}, error: (...line: unknown[]) => logged.push(line) };
  const fetch = mcpFetchFor({
    name: 'test',
    version: '1',
    tools: {},
    handlers: {},
    tasks: {} as Server['tasks'],
    tenantOf: () => 'tenant',
    listen: { tasksPerStream: 0, streamMs: 0, pollMs: 0, keepAliveMs: 0 },
    log,
    ...parts,
  });

  const send = (method: string, params: Record<string, unknown> = {}, meta: object = {}) =>
    fetch(
      new Request('https://example.com/mcp', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': PROTOCOL_VERSION,
          'Mcp-Method': method,
          'Mcp-Name': String(params['name'] ?? params['uri'] ?? ''),
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method,
          params: {
            ...params,
            _meta: {
              'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
              'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
              'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, roots: {} },
              ...meta,
            },
          },
        }),
      }),
    );
  const ask = async (...request: Parameters<typeof send>): Promise<RpcResponse> =>
    JSON.parse(await (await send(...request)).text());
  return { ask, send, logged };
};

const prompts: Server['prompts'] = (mcp) => {
  mcp.registerPrompt('hello', { title: 'Hello', description: 'Says hello.' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello!' } }],
  }));
  mcp.registerPrompt('ask', { description: 'Asks.' }, () =>
    inputRequired({ inputRequests: { roots: inputRequired.listRoots() } }),
  );
};

const resources: Server['resources'] = (mcp) => {
  mcp.registerResource('broken', 'test://broken', { title: 'Broken' }, () => {
    throw new Error('arn:aws:iam::123456789012:role/endpoint is not authorized');
  });
};

describe('prompts and resources', () => {
  const { ask, logged } = serverWith({ prompts, resources });

  test('are announced, without promising to tell of changes', async () => {
    const { result } = await ask('server/discover');
    expect(result!['capabilities']).toMatchObject({
      prompts: { listChanged: false },
      resources: { listChanged: false },
      tools: { listChanged: false },
    });
  });

  test('are listed with their titles', async () => {
    const { result } = await ask('prompts/list');
    expect(result!['prompts']).toMatchObject([{ name: 'hello', title: 'Hello' }, { name: 'ask' }]);
  });

  test('are served', async () => {
    const { result } = await ask('prompts/get', { name: 'hello' });
    expect(result!['messages']).toHaveLength(1);
  });

  test('may ask', async () => {
    const { result } = await ask('prompts/get', { name: 'ask' });
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { roots: {} } });
  });

  test('keep no state: one that comes is not theirs', async () => {
    const { error } = await ask('prompts/get', { name: 'ask', requestState: 'mine' });
    expect(error).toMatchObject({ code: -32602, message: 'Invalid or expired requestState' });
  });

  test('fail without telling the caller of what', async () => {
    const { error } = await ask('resources/read', { uri: 'test://broken' });
    expect(error).toEqual({ code: -32603, message: 'Internal error. It is safe to try again.' });
    expect(logged).toHaveLength(1);
  });

  test('that are not there are the caller’s mistake', async () => {
    const { error } = await ask('resources/read', { uri: 'test://nothing' });
    expect(error!.code).toBe(-32602);
  });

  test('are not announced by a server that has none', async () => {
    const { result } = await serverWith({}).ask('server/discover');
    expect(result!['capabilities']).not.toHaveProperty('prompts');
    expect(result!['capabilities']).not.toHaveProperty('resources');
  });
});

describe('the list of tools', () => {
  const tools = { zulu: tool('Last in the alphabet'), alpha: tool('First in the alphabet') };

  test('is in the order of the table, every time', async () => {
    const { ask } = serverWith({ tools });
    for (let times = 0; times < 3; times += 1) {
      const { result } = await ask('tools/list');
      expect(result!['tools'].map(({ name }: { name: string }) => name)).toEqual(['zulu', 'alpha']);
    }
  });

  test('says all that the manifest says', async () => {
    const { result } = await serverWith({ tools }).ask('tools/list');
    expect(result!['tools'][0]).toMatchObject({
      name: 'zulu',
      title: 'Last in the alphabet',
      description: 'Last in the alphabet.',
      inputSchema: { type: 'object', properties: {} },
      outputSchema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
      annotations: { readOnlyHint: true },
    });
  });

  test.each(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'server/discover'])(
    'may be kept as long as configured, and so may %s',
    async (method) => {
      const listCaching = { ttlMs: 60_000, cacheScope: 'public' as const };
      const { ask } = serverWith({ tools, prompts, resources, listCaching });
      const { result } = await ask(method);
      expect(result).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' });
    },
  );
});

describe('what a synchronous tool says before its result', () => {
  const handlers: Server['handlers'] = {
    async alpha(_, { mcpReq }) {
      const progressToken = mcpReq._meta?.progressToken ?? 'none';
      await mcpReq.log('info', 'halfway');
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
      return { content: [], structuredContent: { count: 1 } };
    },
  };
  const { send } = serverWith({ tools: { alpha: tool('Counts') }, handlers });
  const frames = async (meta: object) =>
    [...(await (await send('tools/call', { name: 'alpha' }, meta)).text()).matchAll(/^data: (.*)$/gm)].map(
      ([, json]) => JSON.parse(json!),
    );

  test('comes on the same response, then the result', async () => {
    const level = { 'io.modelcontextprotocol/logLevel': 'info' };
    expect(await frames({ ...level, progressToken: 'p1' })).toMatchObject([
      { method: 'notifications/message', params: { level: 'info', data: 'halfway' } },
      { method: 'notifications/progress', params: { progressToken: 'p1', progress: 1 } },
      { id: 1, result: { structuredContent: { count: 1 } } },
    ]);
  });

  test('is no log for who named no level', async () => {
    expect(await frames({ progressToken: 'p1' })).toMatchObject([
      { method: 'notifications/progress' },
      { id: 1 },
    ]);
  });
});

import { describe, expect, test } from '@jest/globals';
import { inputRequired } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { defineSyncTool } from '../../../lambdas/protocol/define-tool.ts';
import type { Server } from '../../../lambdas/protocol/mcp-server.ts';
import { serve } from '../../support/mcp.ts';

const prompts: Server['prompts'] = (mcp) => {
  mcp.registerPrompt('hello', { title: 'Hello', description: 'Says hello.' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello!' } }],
  }));
  mcp.registerPrompt('ask', { description: 'Asks.' }, () => {
    const question = inputRequired.elicit({
      message: 'Who?',
      requestedSchema: z.object({ name: z.string() }),
    });
    return inputRequired({ inputRequests: { question } });
  });
};

const resources: Server['resources'] = (mcp) => {
  mcp.registerResource('broken', 'test://broken', { title: 'Broken' }, () => {
    throw new Error('arn:aws:iam::123456789012:role/endpoint is not authorized');
  });
};

describe('prompts and resources', () => {
  const { request, logged } = serve({ prompts, resources });

  test('are announced, without promising to tell of changes', async () => {
    const { body } = await request('server/discover');
    expect(body.result.capabilities).toMatchObject({
      prompts: { listChanged: false },
      resources: { listChanged: false },
      tools: { listChanged: false },
    });
  });

  test('are listed with their titles', async () => {
    const { body } = await request('prompts/list');
    expect(body.result.prompts).toMatchObject([{ name: 'hello', title: 'Hello' }, { name: 'ask' }]);
  });

  test('are served', async () => {
    const { body } = await request('prompts/get', { name: 'hello' });
    expect(body.result.messages).toHaveLength(1);
  });

  test('may ask', async () => {
    const { body } = await request('prompts/get', { name: 'ask' });
    expect(body.result).toMatchObject({ resultType: 'input_required', inputRequests: { question: {} } });
  });

  test('keep no state: one that comes is not theirs', async () => {
    const { body } = await request('prompts/get', { name: 'ask', requestState: 'mine' });
    expect(body.error).toMatchObject({ code: -32602, message: 'Invalid or expired requestState' });
  });

  test('fail without telling the caller of what', async () => {
    const { body } = await request('resources/read', { uri: 'test://broken' });
    expect(body.error).toMatchObject({ code: -32603, message: expect.not.stringContaining('arn:') });
    expect(logged).toHaveLength(1);
  });

  test('that are not there are the caller’s mistake', async () => {
    const { body } = await request('resources/read', { uri: 'test://nothing' });
    expect(body.error?.code).toBe(-32602);
  });

  test('are not announced by a server that has none', async () => {
    const { body } = await serve().request('server/discover');
    expect(body.result.capabilities).not.toHaveProperty('prompts');
    expect(body.result.capabilities).not.toHaveProperty('resources');
  });
});

const tool = (title: string) =>
  defineSyncTool({
    title,
    description: `${title}.`,
    inputSchema: z.object({}),
    outputSchema: z.object({ count: z.int() }),
    annotations: { readOnlyHint: true },
  });

describe('the list of tools', () => {
  const tools = { zulu: tool('Last in the alphabet'), alpha: tool('First in the alphabet') };

  test('is in the order of the table, every time', async () => {
    const { request } = serve({ tools });
    for (let times = 0; times < 3; times += 1) {
      const { body } = await request('tools/list');
      expect(body.result.tools.map(({ name }: { name: string }) => name)).toEqual(['zulu', 'alpha']);
    }
  });

  test('says all that the manifest says', async () => {
    const { body } = await serve({ tools }).request('tools/list');
    expect(body.result.tools[0]).toMatchObject({
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
      const { body } = await serve({ tools, prompts, resources, listCaching }).request(method);
      expect(body.result).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' });
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
  const { call } = serve({ tools: { alpha: tool('Counts') }, handlers });

  test('comes on the same response, then the result', async () => {
    const meta = { 'io.modelcontextprotocol/logLevel': 'info', progressToken: 'p1' };
    expect((await call('alpha', {}, { meta })).messages).toMatchObject([
      { method: 'notifications/message', params: { level: 'info', data: 'halfway' } },
      { method: 'notifications/progress', params: { progressToken: 'p1', progress: 1 } },
      { id: 1, result: { structuredContent: { count: 1 } } },
    ]);
  });

  test('is no log for who named no level', async () => {
    expect((await call('alpha', {}, { meta: { progressToken: 'p1' } })).messages).toMatchObject([
      { method: 'notifications/progress' },
      { id: 1 },
    ]);
  });
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { seed } from '../../tools/run_migration/demo/records.ts';
import { run_migration } from '../../tools/run_migration/tool.ts';
import { useEngine } from '../support/engine.ts';
import { LISTED_TOOLS } from '../support/listed-tools.ts';
import { pollUntil } from '../support/tasks-client.ts';
import { call, envelope, mcpRequest, send, startTask, type RequestOptions } from '../support/wire/request.ts';

const UNKNOWN = 'tsk_AAAAAAAAAAAAAAAAAAAAAA';
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const META = 'io.modelcontextprotocol/';

describe('the wire, requirement by requirement', () => {
  const engine = useEngine();
  const ask = (method: string, params?: Record<string, unknown>, options?: RequestOptions) =>
    call(engine.mcpUrl, method, params, options);
  const countdown = (seconds: number) => startTask(engine.mcpUrl, 'countdown', { seconds });
  const raw = (body: unknown, headers: Record<string, string> = {}) =>
    send(engine.mcpUrl, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  beforeAll(() => seed(engine.documents, engine.table('Records')));

  describe('creating a task', () => {
    test('is flat, and the very next poll finds it [TASKS-4] [TASKS-7] [TASKS-8] [BASE-4]', async () => {
      const { body, status, headers } = await ask('tools/call', {
        name: 'countdown',
        arguments: { seconds: 60 },
      });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/json');
      const { taskId, createdAt } = body.result;
      expect(body.result).toMatchObject({
        resultType: 'task',
        status: 'working',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        lastUpdatedAt: createdAt,
        ttlMs: 7_200_000,
        pollIntervalMs: 1_000,
      });
      const polled = await ask('tasks/get', { taskId });
      expect(polled.body.result).toMatchObject({
        resultType: 'complete',
        taskId,
        status: 'working',
        createdAt,
      });
    });

    test('ids are random: 128 bits, no two alike [TASKS-42]', async () => {
      const ids = await Promise.all(Array.from({ length: 8 }, () => countdown(60)));
      expect(new Set(ids).size).toBe(8);
      for (const id of ids) expect(id).toMatch(/^tsk_[A-Za-z0-9_-]{22}$/);
      const first = ids.map((id) => id.slice(4, 10));
      expect(new Set(first).size).toBe(8);
    });

    test('never happens for a request without the extension, whatever came before [TASKS-1] [TASKS-2] [BASE-12] [BASE-17] [BASE-18] [VERSION-3]', async () => {
      await countdown(60);
      engine.resetCalls();
      const params = { name: 'countdown', arguments: { seconds: 60 } };
      const called = await ask('tools/call', params, { capabilities: {} });
      expect(called.body.result).toMatchObject({
        resultType: 'complete',
        content: [{ type: 'text', text: expect.stringContaining('Call task_status') }],
      });
      expect(called.body.result).not.toHaveProperty('taskId');

      const taskId = called.body.result!['structuredContent'].taskId;
      engine.resetCalls();
      const { status, body } = await ask('tasks/get', { taskId }, { capabilities: {} });
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: -32021, data: { requiredCapabilities: TASKS } });
      expect(engine.calls).toEqual([]);
    });

    test('never happens when the tool may ask what the caller cannot answer [ELICIT-2] [BASE-18]', async () => {
      const params = { name: 'run_migration', arguments: { migration: 'retire_free_plan' } };
      for (const capabilities of [TASKS, { ...TASKS, elicitation: { url: {} } }]) {
        const { status, body } = await ask('tools/call', params, { capabilities });
        expect(status).toBe(400);
        expect(body.error).toMatchObject({
          code: -32021,
          data: { requiredCapabilities: { elicitation: { form: {} } } },
        });
      }
    });

    test('the 2025 member `task` neither asks for a task nor is refused', async () => {
      const params = { name: 'list_migrations', arguments: {}, task: { ttl: 60_000 } };
      const { body } = await ask('tools/call', params);
      expect(body.result.resultType).toBe('complete');
    });
  });

  describe('tasks/get', () => {
    test('tells a working task, then its end with the result [TASKS-10] [TASKS-11] [TASKS-14] [TASKS-17] [TASKS-41]', async () => {
      const taskId = await countdown(1);
      const working = (await ask('tasks/get', { taskId })).body.result;
      expect(working.status).toBe('working');
      expect(Object.keys(working)).not.toEqual(expect.arrayContaining(['result']));
      expect(await pollUntil(engine.mcpUrl, taskId, 'completed')).toMatchObject({
        resultType: 'complete',
        status: 'completed',
        result: { resultType: 'complete', content: [{ type: 'text', text: 'Lift-off after 1 seconds.' }] },
      });
    });

    test('a tool error is a completed task [TASKS-6] [TASKS-39] [TASKS-5]', async () => {
      const taskId = await startTask(engine.mcpUrl, 'run_migration', { migration: 'no_such' });
      const { result, resultType } = await pollUntil(engine.mcpUrl, taskId, 'completed', 'failed');
      expect(resultType).toBe('complete');
      expect(result).toMatchObject({ isError: true, resultType: 'complete' });
    });

    test('the result keeps the tool’s output schema [TOOLS-9]', async () => {
      const taskId = await startTask(engine.mcpUrl, 'run_migration', { migration: 'lowercase_emails' });
      const { result } = await pollUntil(engine.mcpUrl, taskId, 'completed');
      expect(run_migration.outputSchema!.parse(result.structuredContent)).toEqual(result.structuredContent);
      const listed = await ask('tools/call', { name: 'list_migrations', arguments: {} });
      expect(listed.body.result.structuredContent.migrations).toHaveLength(2);
    });

    test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
      '%s of an unknown task is -32602, in words that help [TASKS-21] [TASKS-26] [TASKS-32] [TASKS-33] [TASKS-34] [TASKS-37]',
      async (method) => {
        for (const taskId of [UNKNOWN, '', 'constructor', `other#${UNKNOWN}`, 'ü', 'x'.repeat(3_000)]) {
          const { body, status } = await ask(method, { taskId, inputResponses: {} });
          expect(status).toBe(200);
          expect(body.error).toEqual({
            code: -32602,
            message: 'Unknown task: no such task id, or the task has expired.',
          });
        }
      },
    );

    test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
      '%s without the extension is -32021, for an unknown task too [TASKS-36] [BASE-18]',
      async (method) => {
        const taskId = await countdown(60);
        for (const id of [taskId, UNKNOWN]) {
          const { status, body } = await ask(
            method,
            { taskId: id, inputResponses: {} },
            { capabilities: {} },
          );
          expect(status).toBe(400);
          expect(body.error).toMatchObject({ code: -32021, data: { requiredCapabilities: TASKS } });
        }
        expect((await ask('tasks/get', { taskId })).body.result.status).toBe('working');
      },
    );
  });

  describe('tasks/update', () => {
    test('the question stays word for word until it is answered, and a stale answer changes nothing [TASKS-12] [TASKS-13] [TASKS-18] [TASKS-19] [TASKS-20] [TASKS-22] [TASKS-23] [ELICIT-1] [ELICIT-3] [ELICIT-4]', async () => {
      const taskId = await startTask(engine.mcpUrl, 'run_migration', { migration: 'retire_free_plan' });
      const { inputRequests } = await pollUntil(engine.mcpUrl, taskId, 'input_required');
      const [[key, question]] = Object.entries(inputRequests) as [[string, unknown]];
      expect(question).toEqual({
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'Delete 47 of 342 records for good?',
          requestedSchema: {
            type: 'object',
            properties: { confirm: { type: 'boolean', description: 'Delete the records.' } },
            required: ['confirm'],
          },
        },
      });
      const answer = (responses: object) => ask('tasks/update', { taskId, inputResponses: responses });
      const stale = await answer({ [`${key}x`]: { action: 'accept', content: { confirm: true } } });
      expect(Object.keys(stale.body.result).sort()).toEqual(['_meta', 'resultType']);
      const again = (await ask('tasks/get', { taskId })).body.result;
      expect(again.inputRequests).toEqual(inputRequests);

      expect((await answer({ [key]: { action: 'decline' } })).body.result.resultType).toBe('complete');
      // A second answer to the same key: acknowledged, without effect.
      const second = await answer({ [key]: { action: 'accept', content: { confirm: true } } });
      expect(second.body.result.resultType).toBe('complete');
      const { result } = await pollUntil(engine.mcpUrl, taskId, 'completed');
      expect(result.structuredContent.outcome).toBe('declined');

      const next = await startTask(engine.mcpUrl, 'run_migration', { migration: 'retire_free_plan' });
      const asked = await pollUntil(engine.mcpUrl, next, 'input_required');
      expect(Object.keys(asked['inputRequests'])).not.toContain(key);
      await ask('tasks/cancel', { taskId: next });
    });

    test('who does not say yes has not confirmed [ELICIT-7]', async () => {
      for (const response of [{ action: 'cancel' }, { action: 'accept', content: { confirm: false } }]) {
        const taskId = await startTask(engine.mcpUrl, 'run_migration', { migration: 'retire_free_plan' });
        const { inputRequests } = await pollUntil(engine.mcpUrl, taskId, 'input_required');
        const [key] = Object.keys(inputRequests);
        await ask('tasks/update', { taskId, inputResponses: { [key!]: response } });
        const { status, result } = await pollUntil(engine.mcpUrl, taskId, 'completed', 'failed');
        expect([status, result?.structuredContent?.outcome]).toEqual(['completed', 'declined']);
      }
    });

    test('what is no answer, or does not fit the schema, is refused, and the question stays open [ELICIT-7] [ELICIT-11]', async () => {
      const taskId = await startTask(engine.mcpUrl, 'run_migration', { migration: 'retire_free_plan' });
      const { inputRequests } = await pollUntil(engine.mcpUrl, taskId, 'input_required');
      const [key] = Object.keys(inputRequests);
      for (const response of [
        { action: 'accept', content: { confirm: 'yes' } },
        { action: 'accept' },
        {},
        { action: 'yes' },
        { action: 'accept', content: [true] },
        { action: 'accept', content: { confirm: 'yes' } },
        { action: 'accept' },
        'accept',
        [],
        null,
        1,
      ]) {
        const { body } = await ask('tasks/update', { taskId, inputResponses: { [key!]: response } });
        expect([response, body.error?.code]).toEqual([response, -32602]);
      }
      for (const inputResponses of [undefined, null, [], 'accept', 7, true]) {
        const { body } = await ask('tasks/update', { taskId, inputResponses });
        expect([inputResponses, body.error?.code]).toEqual([inputResponses, -32602]);
      }
      const after = (await ask('tasks/get', { taskId })).body.result;
      expect(after.inputRequests).toEqual(inputRequests);
      await ask('tasks/cancel', { taskId });
    });
  });

  describe('tasks/cancel', () => {
    test('is acknowledged with nothing, and the task is cancelled [TASKS-15] [TASKS-25] [TASKS-27]', async () => {
      const taskId = await countdown(60);
      const { body } = await ask('tasks/cancel', { taskId });
      expect(Object.keys(body.result).sort()).toEqual(['_meta', 'resultType']);
      const { result } = (await ask('tasks/get', { taskId })).body;
      expect(result.status).toBe('cancelled');
      expect((await ask('tasks/cancel', { taskId })).body.result.resultType).toBe('complete');
    });

    test('notifications/cancelled does not cancel a task [TASKS-24] [HTTP-5] [BASE-11]', async () => {
      const taskId = await countdown(60);
      const { status, text } = await raw(
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, _meta: envelope() } },
        { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'notifications/cancelled' },
      );
      expect([status, text]).toEqual([202, '']);
      expect((await ask('tasks/get', { taskId })).body.result.status).toBe('working');
    });
  });

  describe('messages', () => {
    test.each([1, 0, -7, 'a', '', 'ü\u0000', Number.MAX_SAFE_INTEGER])(
      'the id %p comes back, from results and from errors [BASE-1] [BASE-2] [BASE-3] [BASE-5] [BASE-6] [BASE-7]',
      async (id) => {
        const result = await ask('tools/list', {}, { id });
        expect(result.body).toMatchObject({ jsonrpc: '2.0', id, result: { resultType: 'complete' } });
        const error = await ask('tasks/get', { taskId: UNKNOWN }, { id });
        expect(error.body).toMatchObject({ jsonrpc: '2.0', id, error: { code: -32602 } });
      },
    );

    test.each(['server/discover', 'tools/list'])(
      '%s says which server answers [BASE-19] [VERSION-2]',
      async (method) => {
        const { body } = await ask(method);
        expect(body.result._meta[`${META}serverInfo`]).toEqual({
          name: 'serverless-mcp-tasks',
          version: '0.1.0',
        });
      },
    );

    test('discovery declares tools and the extension [TOOLS-1] [BASE-4]', async () => {
      const { supportedVersions, capabilities } = (await ask('server/discover')).body.result;
      expect(supportedVersions).toContain('2026-07-28');
      expect(capabilities).toMatchObject({ tools: { listChanged: false }, ...TASKS });
    });

    test.each(['tasks/list', 'tasks/result', 'resources/subscribe', 'toString', 'ping'])(
      'the method %p does not exist [HTTP-16] [BASE-9] [BASE-10]',
      async (method) => {
        const { status, body } = await ask(method);
        expect([status, body.error?.code]).toEqual([404, -32601]);
      },
    );

    test('a request without its envelope, or with half of it, is -32602 [BASE-16]', async () => {
      for (const missing of ['protocolVersion', 'clientCapabilities']) {
        const { [`${META}${missing}`]: _, ...rest } = envelope();
        const { status, body } = await raw(
          { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: rest } },
          { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' },
        );
        expect([status, body.error?.code]).toEqual([400, -32602]);
      }
    });

    test('state is named by ids alone: any connection may ask [BASE-13] [BASE-14]', async () => {
      const taskId = await countdown(60);
      const { body } = await ask('tasks/get', { taskId }, { headers: { Connection: 'close' } });
      expect(body.result.taskId).toBe(taskId);
    });
  });

  describe('HTTP', () => {
    test('one path, POST alone; everything else is told so [HTTP-1] [HTTP-24]', async () => {
      for (const method of ['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH']) {
        const { status, headers } = await fetch(engine.mcpUrl, { method });
        expect([method, status, headers.get('allow')]).toEqual([method, 405, 'POST']);
      }
      const elsewhere = await fetch(`${engine.url}/other`, { method: 'POST', body: '{}' });
      expect(elsewhere.status).toBe(403);
    });

    test('the local engine is on localhost [HTTP-4]', () => {
      expect(new URL(engine.mcpUrl).hostname).toBe('127.0.0.1');
    });

    test('a foreign page is refused, one that is served here is not [HTTP-2] [HTTP-3]', async () => {
      const statuses = [];
      for (const origin of ['https://evil.example', 'null', 'nonsense', 'http://localhost:6274']) {
        statuses.push((await ask('tools/list', {}, { headers: { Origin: origin } })).status);
      }
      expect(statuses).toEqual([403, 403, 403, 200]);
    });

    test('a version that is not served is named, with those that are [VERSION-1] [HTTP-15]', async () => {
      const version = '1999-01-01';
      const { status, body } = await ask(
        'tools/list',
        { _meta: { [`${META}protocolVersion`]: version } },
        { headers: { 'MCP-Protocol-Version': version }, id: 'v' },
      );
      expect(status).toBe(400);
      expect(body).toMatchObject({
        id: 'v',
        error: { code: -32022, data: { requested: version, supported: ['2026-07-28'] } },
      });
    });

    test.each([
      ['another version', 'tools/list', {}, { 'MCP-Protocol-Version': '2025-11-25' }],
      ['no version', 'tools/list', {}, { 'MCP-Protocol-Version': undefined }],
      ['another method', 'tools/list', {}, { 'Mcp-Method': 'tools/call' }],
      ['no method', 'tools/list', {}, { 'Mcp-Method': undefined }],
      ['another tool', 'tools/call', { name: 'countdown' }, { 'Mcp-Name': 'run_migration' }],
      ['no tool', 'tools/call', { name: 'countdown' }, { 'Mcp-Name': undefined }],
      ['another task', 'tasks/get', { taskId: UNKNOWN }, { 'Mcp-Name': `${UNKNOWN}x` }],
      ['no task', 'tasks/get', { taskId: UNKNOWN }, { 'Mcp-Name': undefined }],
      ['Base64 that is none', 'tasks/get', { taskId: UNKNOWN }, { 'Mcp-Name': '=?base64?%%?=' }],
      ['a method in other case', 'tools/list', {}, { 'Mcp-Method': 'Tools/List' }],
      ['a method twice', 'tools/list', {}, { 'Mcp-Method': 'tools/list, tools/list' }],
    ])(
      'headers that name %s are -32020 [HTTP-14] [HTTP-19] [HTTP-21] [HTTP-22]',
      async (_, method, params, headers) => {
        const { status, body } = await ask(method, params, { headers });
        expect([status, body.error?.code, body.id]).toEqual([400, -32020, 1]);
      },
    );

    test('an encoded name is decoded before it is compared [HTTP-17] [HTTP-19]', async () => {
      const taskId = await countdown(60);
      const encoded = `=?base64?${Buffer.from(taskId).toString('base64')}?=`;
      const { body } = await ask('tasks/get', { taskId }, { headers: { 'Mcp-Name': encoded } });
      expect(body.result.taskId).toBe(taskId);
    });

    test('header names in any case [HTTP-20]', async () => {
      const init = mcpRequest('tools/list');
      const headers = (init.headers as [string, string][]).map(
        ([name, value]) => [name.toUpperCase(), value] as [string, string],
      );
      expect((await send(engine.mcpUrl, { ...init, headers })).status).toBe(200);
    });

    test('relics of earlier revisions are ignored [HTTP-25] [HTTP-26]', async () => {
      const headers = { 'Mcp-Session-Id': 'old', 'Last-Event-ID': '7' };
      const answer = await ask('tools/list', {}, { headers });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('mcp-session-id')).toBeNull();
    });

    test('what is no message is refused by status, and has no id to answer to [HTTP-6]', async () => {
      const modern = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };
      const request = JSON.parse(mcpRequest('tools/list').body as string) as object;
      const cases: [unknown, number, number][] = [
        ['{', 400, -32700],
        ['', 400, -32700],
        [[request], 400, -32600],
        [[], 400, -32600],
        ['null', 400, -32600],
        [{ ...request, id: null }, 400, -32600],
        [{ ...request, id: true }, 400, -32600],
      ];
      for (const [body, status, code] of cases) {
        const answer = await raw(body, modern);
        expect([body, answer.status, answer.body.error?.code, answer.body.id]).toEqual([
          body,
          status,
          code,
          null,
        ]);
      }
    });
  });

  describe('tools', () => {
    test('are listed in one order, the same to everybody, with valid schemas [TOOLS-2] [TOOLS-3] [TOOLS-4] [TOOLS-5] [TOOLS-6] [TOOLS-7] [BASE-15]', async () => {
      const first = await ask('tools/list');
      await countdown(60);
      const second = await ask('tools/list', {}, { capabilities: {} });
      expect(second.body.result.tools).toEqual(first.body.result.tools);
      const tools = first.body.result.tools as { name: string; inputSchema: object }[];
      expect(tools.map(({ name }) => name)).toEqual(LISTED_TOOLS);
      for (const { name, inputSchema } of tools) {
        expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
        expect(inputSchema).toMatchObject({ type: 'object' });
      }
    });

    test('an unknown tool is a protocol error [TOOLS-14]', async () => {
      for (const name of ['no_such', '__proto__', 'constructor', 'Countdown', '']) {
        const headers = name === '' ? { 'Mcp-Name': '=?base64??=' } : {};
        const { status, body } = await ask('tools/call', { name, arguments: {} }, { headers });
        expect([name, status, body.error?.code]).toEqual([name, 200, -32602]);
      }
    });

    test('arguments that do not fit are a tool error for the model to read, and start nothing [TOOLS-10] [TOOLS-15]', async () => {
      engine.resetCalls();
      for (const args of [
        {},
        { seconds: -1 },
        { seconds: 1.5 },
        { seconds: '1' },
        { seconds: 1e308 },
        { seconds: null },
      ]) {
        const { body } = await ask('tools/call', { name: 'countdown', arguments: args });
        expect(body.result).toMatchObject({ isError: true, resultType: 'complete' });
        expect(body.result.content[0].text).toContain('seconds');
      }
      expect(engine.calls).toEqual([]);
    });
  });

  test('another tenant’s task is unknown to every method [TASKS-43] [TOOLS-11]', async () => {
    const mine = await countdown(60);
    const TableName = engine.table('Tasks');
    const { Item } = await engine.documents.send(
      new GetCommand({ TableName, Key: { pk: `public#${mine}` } }),
    );
    const taskId = 'tsk_somebodyElsesTask0000000';
    const theirs = { ...Item, pk: `other#${taskId}`, tenant: 'other', taskId };
    await engine.documents.send(new PutCommand({ TableName, Item: theirs }));
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      for (const id of [taskId, `other#${taskId}`]) {
        const { body } = await ask(method, { taskId: id, inputResponses: { any: { action: 'accept' } } });
        expect(body.error).toEqual((await ask(method, { taskId: UNKNOWN, inputResponses: {} })).body.error);
      }
    }
    const { Item: after } = await engine.documents.send(
      new GetCommand({ TableName, Key: { pk: theirs.pk } }),
    );
    expect(after).toEqual(theirs);
  });

  test('whose a task is comes from the caller, never from the request [ELICIT-8] [ELICIT-10]', async () => {
    const taskId = await startTask(engine.mcpUrl, 'run_migration', { migration: 'retire_free_plan' });
    const claims = { tenant: 'other', _meta: { ...envelope(), tenant: 'other' } };
    const { body } = await ask('tasks/get', { taskId, ...claims });
    expect(body.result.taskId).toBe(taskId);
    const other = await ask('tasks/get', { taskId: `other#${taskId}`, ...claims });
    expect(other.body.error!.code).toBe(-32602);
    await ask('tasks/cancel', { taskId });
  });
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { request as httpRequest } from 'node:http';
import { useEngine } from '../support/engine.ts';
import { pollUntil } from '../support/tasks-client.ts';
import { seed } from '../../tools/run_migration/demo/records.ts';
import { checkNoLeak } from '../support/wire/check.ts';
import { mcpRequest, send, startTask } from '../support/wire/request.ts';

/** What people put where it does not belong. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    '__proto__',
    'constructor',
    'toString',
    '\u0000',
    '\ud800',
    '../../etc/passwd',
    '${jndi:ldap://x}',
    "'; DROP TABLE tasks; --",
    -1,
    -0,
    1e308,
    1e-320,
    Number.MAX_SAFE_INTEGER + 2,
    [],
    [[]],
    {},
    'x'.repeat(5_000),
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue({ maxDepth: 3 }),
);

const METHODS = [
  'server/discover',
  'tools/list',
  'tools/call',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
  'subscriptions/listen',
  'resources/read',
  'prompts/get',
  'completion/complete',
  'initialize',
  'ping',
  'logging/setLevel',
];
const MEMBERS = [
  'name',
  'arguments',
  'taskId',
  'inputResponses',
  'notifications',
  'requestState',
  'uri',
  '_meta',
];

describe('hostile input, over HTTP', () => {
  const engine = useEngine();
  let taskId: string;

  const records = async (): Promise<unknown> =>
    (await engine.documents.send(new ScanCommand({ TableName: engine.table('Tasks') }))).Items;

  /** Sends it, and holds the answer against what must never happen. `checkedFetch` has looked at it before. */
  const attack = async (init: RequestInit) => {
    const answer = await send(engine.mcpUrl, init);
    expect([answer.status, answer.text]).toEqual([expect.any(Number), expect.any(String)]);
    if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.text}`);
    // The SDK calls parameters that do not fit a method of the core specification an internal error, and lists them.
    const { code, message } = answer.body.error ?? {};
    if (code === -32603) expect(message).toMatch(/^\[\s*\{[^]*"path": \[/);
    checkNoLeak(answer.text);
    return answer;
  };
  const property = <T>(arbitrary: fc.Arbitrary<T>, run: (value: T) => Promise<unknown>, numRuns = 60) =>
    fc.assert(
      fc.asyncProperty(arbitrary, async (value) => void (await run(value))),
      { numRuns },
    );
  const withBody = (body: unknown): RequestInit => ({
    ...mcpRequest('tools/list'),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

  beforeAll(async () => {
    await seed(engine.documents, engine.table('Records'));
    taskId = await startTask(engine.mcpUrl, 'run_migration', { migration: 'retire_free_plan' });
    await pollUntil(engine.mcpUrl, taskId, 'input_required');
  });

  test('any text as the body', async () => {
    const before = await records();
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.string());
    await property(text, async (body) => {
      const { status } = await attack(withBody(body));
      expect(status).toBeGreaterThanOrEqual(400);
    });
    expect(await records()).toEqual(before);
  });

  test('any JSON-RPC-like object', async () => {
    const before = await records();
    const message = fc.record(
      {
        jsonrpc: fc.oneof(fc.constant('2.0'), odd),
        id: fc.oneof(fc.constant(1), odd),
        method: fc.oneof(fc.constantFrom(...METHODS.filter((method) => method !== 'tools/call')), odd),
        params: fc.oneof(fc.constant({}), odd),
      },
      { requiredKeys: [] },
    );
    await property(message, (body) => attack(withBody(body)), 100);
    await property(fc.array(message, { maxLength: 3 }), (body) => attack(withBody(body)), 30);
    expect(await records()).toEqual(before);
  });

  test('any parameters of any method', async () => {
    const before = await records();
    const params = fc.dictionary(fc.constantFrom(...MEMBERS), odd, { maxKeys: 4 });
    await property(
      fc.tuple(fc.constantFrom(...METHODS), params),
      ([method, given]) => {
        // An odd envelope stays odd; without one the request has its own.
        const init = mcpRequest(method, given);
        const body = JSON.parse(init.body as string) as { params: object };
        const odd = '_meta' in given ? { ...body, params: { ...body.params, _meta: given['_meta'] } } : body;
        return attack({ ...init, body: JSON.stringify(odd) });
      },
      150,
    );
    expect(await records()).toEqual(before);
  });

  test('any arguments of a task tool: a tool error, and no task', async () => {
    const before = await records();
    const args = fc.dictionary(fc.string(), odd, { maxKeys: 3 });
    await property(args, async (given) => {
      const { body } = await attack(
        mcpRequest('tools/call', { name: 'run_migration', arguments: { ...given, migration: 7 } }),
      );
      expect(body.result).toMatchObject({ isError: true });
    });
    expect(await records()).toEqual(before);
  });

  test('any response to any key: what is not open is ignored, what is open stays so', async () => {
    const before = await records();
    const keys = fc.oneof(
      fc.constantFrom('__proto__', 'constructor', 'a.b', 'a#b', '', '[0]', 'inputs', '#key', ':at', '\u0000'),
      fc.string({ unit: 'binary' }),
    );
    const responses = fc.array(fc.tuple(keys, fc.oneof(odd, fc.constant({ action: 'accept' }))), {
      maxLength: 4,
    });
    await property(responses, async (entries) => {
      // Written by hand, since an object literal would take "__proto__" for its prototype.
      const json = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join();
      const init = mcpRequest('tasks/update', { taskId, inputResponses: {} });
      const { body } = await attack({
        ...init,
        body: (init.body as string).replace('"inputResponses":{}', `"inputResponses":{${json}}`),
      });
      expect(body.result?.resultType ?? body.error?.code).toEqual(expect.anything());
    });
    expect(await records()).toEqual(before);
  });

  test('any headers', async () => {
    const before = await records();
    const value = fc.oneof(
      fc.stringMatching(/^[\x21-\x7e]{0,40}$/),
      fc.stringMatching(/^[\xa1-\xff]{1,10}$/),
      fc.constantFrom(
        'x'.repeat(8_000),
        '=?base64?',
        '=?base64?////?=',
        ',',
        '2026-07-28, 2026-07-28',
        '*/*;q=0',
      ),
    );
    const names = fc.constantFrom(
      'mcp-PROTOCOL-version',
      'MCP-METHOD',
      'mcp-name',
      'Accept',
      'Content-Type',
      'Mcp-Session-Id',
      'Last-Event-ID',
      'Mcp-Param-Seconds',
      'X-Forwarded-For',
      'Authorization',
      'traceparent',
    );
    const headers = fc.dictionary(names, value, { maxKeys: 4 });
    await property(
      fc.tuple(fc.constantFrom('tools/list', 'tasks/get', 'subscriptions/listen'), headers),
      ([method, given]) => {
        const init = mcpRequest(method, { taskId, notifications: { taskIds: [] } });
        const kept = (init.headers as [string, string][]).filter(
          ([name]) => !Object.keys(given).some((other) => other.toLowerCase() === name.toLowerCase()),
        );
        return attack({ ...init, headers: [...kept, ...Object.entries(given)] });
      },
      80,
    );
    expect(await records()).toEqual(before);
  });

  test.each([
    ['no content type', undefined, 415],
    ['text/plain', 'text/plain', 415],
    ['a form', 'application/x-www-form-urlencoded', 415],
    ['JSON with a charset', 'application/json; charset=utf-8', 200],
    ['JSON in other case', 'APPLICATION/JSON', 200],
    ['JSON twice', 'application/json, application/json', 415],
  ])('content type: %s', async (_, type, status) => {
    const init = mcpRequest('tools/list', {}, { headers: { 'Content-Type': type } });
    // A string body would give itself a content type.
    const body = type === undefined ? new Blob([init.body as string]) : init.body!;
    expect((await attack({ ...init, body })).status).toBe(status);
  });

  test('a header that comes twice is held against both', async () => {
    const init = mcpRequest('tools/list');
    for (const header of ['Mcp-Method', 'MCP-Protocol-Version']) {
      const value = (init.headers as [string, string][]).find(([name]) => name === header)![1];
      const { status, body } = await rawHttp(engine.mcpUrl, init, [header, value]);
      expect([status, JSON.parse(body).error.code]).toEqual([400, -32020]);
    }
  });

  test('a large body is refused, whatever is in it', async () => {
    const before = await records();
    const large = 'x'.repeat(5_000_000);
    for (const body of [large, `"${large}"`, mcpRequest('tools/call', { name: large }).body as string]) {
      expect((await attack(withBody(body))).status).toBe(413);
    }
    expect((await attack(withBody('1'.repeat(10 * 1024 * 1024 + 1)))).status).toBe(413);
    expect(await records()).toEqual(before);
  });

  test('arguments above what an execution takes are a tool error, and no task', async () => {
    const before = await records();
    const migration = 'ü'.repeat(140_000);
    const { body } = await attack(
      mcpRequest('tools/call', { name: 'run_migration', arguments: { migration } }),
    );
    expect(body.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('256 KB') }],
    });
    expect(await records()).toEqual(before);
  });

  describe('deep nesting', () => {
    const deep = `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`;
    const list = '['.repeat(450_000) + ']'.repeat(450_000);
    const inside = (init: RequestInit, mark: string) => ({
      ...init,
      body: (init.body as string).replace(JSON.stringify(mark), deep),
    });

    test.each([
      ['the body', () => withBody(deep)],
      ['a list as the body', () => withBody(list)],
      ['the envelope', () => inside(mcpRequest('tools/list', { _meta: { x: 'HERE' } }), 'HERE')],
      [
        'the arguments',
        () =>
          inside(
            mcpRequest('tools/call', { name: 'run_migration', arguments: { migration: 1, x: 'HERE' } }),
            'HERE',
          ),
      ],
      [
        'the wrong arguments',
        () => inside(mcpRequest('tools/call', { name: 'countdown', arguments: { seconds: 'HERE' } }), 'HERE'),
      ],
      [
        'a task id',
        () => inside(mcpRequest('tasks/get', { taskId: 'HERE' }, { headers: { 'Mcp-Name': 'x' } }), 'HERE'),
      ],
      [
        'task ids to listen to',
        () => inside(mcpRequest('subscriptions/listen', { notifications: { taskIds: ['HERE'] } }), 'HERE'),
      ],
      [
        'a stale response',
        () => inside(mcpRequest('tasks/update', { taskId, inputResponses: { stale: 'HERE' } }), 'HERE'),
      ],
    ])('in %s', async (_, init) => {
      const before = await records();
      await attack(init());
      expect(await records()).toEqual(before);
    });

    test('in a response to an open question', async () => {
      const before = await records();
      const { inputRequests } = await pollUntil(engine.mcpUrl, taskId, 'input_required');
      const response = { action: 'accept', content: { confirm: 'HERE' } };
      const inputResponses = { [Object.keys(inputRequests)[0]!]: response };
      const { body } = await attack(inside(mcpRequest('tasks/update', { taskId, inputResponses }), 'HERE'));
      expect(body.error?.code).toBe(-32602);
      expect(await records()).toEqual(before);
    });
  });

  test('a member that comes twice counts as JSON.parse counts it, for every reader', async () => {
    const init = mcpRequest('tasks/get', { taskId: 'tsk_AAAAAAAAAAAAAAAAAAAAAA' });
    const twice = (init.body as string).replace(
      '"method":"tasks/get"',
      '"method":"tasks/get","method":"tools/list"',
    );
    expect((await attack({ ...init, body: twice })).body.error!.code).toBe(-32020);
  });

  test('members named like Object’s own change no object but theirs', async () => {
    const before = await records();
    const init = mcpRequest('tools/call', { name: 'countdown', arguments: { seconds: 'no' } });
    for (const member of ['__proto__', 'constructor', 'prototype']) {
      const poison = `"${member}":{"seconds":1,"polluted":true,"extensions":{}}`;
      const bodies = [
        (init.body as string).replace('"seconds":"no"', poison),
        (init.body as string).replace('"_meta":{', `"_meta":{${poison},`),
        (init.body as string).replace('{"jsonrpc"', `{${poison},"jsonrpc"`),
      ];
      for (const body of bodies) {
        const { result, error } = (await attack({ ...init, body })).body;
        expect(result?.isError ?? error!.code).toEqual(result ? true : -32600);
      }
    }
    // Another request, in the same execution environment.
    const { body } = await attack(mcpRequest('tasks/get', { taskId: 'tsk_none' }, { capabilities: {} }));
    expect(body.error!.code).toBe(-32021);
    expect(await records()).toEqual(before);
  });

  test('NUL and lone surrogates in arguments do no harm', async () => {
    const id = await startTask(engine.mcpUrl, 'run_migration', { migration: '\u0000\ud800 \udfff' });
    const { result } = await pollUntil(engine.mcpUrl, id, 'completed', 'failed');
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toContain('Unknown migration');
  });

  test('the endpoint is as well as before', async () => {
    const { body } = await attack(mcpRequest('tasks/get', { taskId }));
    expect(body.result.status).toBe('input_required');
    expect(engine.logs.filter((line) => /Task timed out|Runtime\.|"level":"ERROR"/.test(line))).toEqual([]);
  });
});

/** What `fetch` will not send: the same header twice, on two lines. */
const rawHttp = (
  url: string,
  init: RequestInit,
  extra: [string, string],
): Promise<{ status: number; body: string }> =>
  new Promise((done, fail) => {
    const headers = [['Host', new URL(url).host], ...(init.headers as [string, string][]), extra].flat();
    const request = httpRequest(url, { method: 'POST', headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => done({ status: response.statusCode!, body }));
    });
    request.on('error', fail);
    request.end(init.body as string);
  });

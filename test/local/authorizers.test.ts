import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startEngine, type Engine } from '../../local/engine.ts';
import { fixture, guarded } from './fixture/template.ts';

let engine: Engine;
let log: string[] = [];
beforeAll(async () => {
  const assembly = fixture();
  Object.assign(assembly.template.Resources, guarded);
  engine = await startEngine({ assembly, log: (_, line) => log.push(line) });
});
beforeEach(() => {
  log = [];
});
afterAll(() => engine.close());

const call = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${engine.url}/${path}`, { headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

test('an allowed caller reaches the function, with the authorizer’s context as texts', async () => {
  const { status, body } = await call('by-token', { Authorization: 'alice' });

  expect(status).toBe(200);
  expect(body).toMatchObject({
    requestContext: {
      authorizer: { principalId: 'alice', tenant: 'tenant of alice', number: '1', yes: 'true' },
    },
  });
});

test.each([
  ['no token', {}, 401],
  ['a token that does not look like one', { Authorization: '!' }, 401],
  ['Unauthorized', { Authorization: 'unauthorized' }, 401],
  ['a Deny', { Authorization: 'deny' }, 403],
  ['an Allow for something else', { Authorization: 'elsewhere' }, 403],
  ['an authorizer that fails', { Authorization: 'crash' }, 500],
  ['an authorizer that gives no policy', { Authorization: 'malformed' }, 500],
])('%s is answered by API Gateway: %j', async (_, headers, status) => {
  expect((await call('by-token', headers as Record<string, string>)).status).toBe(status);
});

test('a token that does not look like one runs no function', async () => {
  await call('by-token', { Authorization: '!' });

  expect(log.join()).not.toContain('asked');
});

test('a gateway response takes texts, the request and the context', async () => {
  const { headers, body } = await call('by-token', { Authorization: 'deny me', Origin: 'https://a.example' });

  expect(headers.get('www-authenticate')).toBe('Bearer scope="a"');
  expect(headers.get('x-origin')).toBe('https://a.example');
  expect(headers.get('x-nothing')).toBeNull();
  expect(body).toEqual({ why: 'tenant of deny me', type: 'ACCESS_DENIED', at: '/by-token' });
});

test('a class of responses stands in for those that are not there', async () => {
  const { status, body } = await call('by-token');

  expect([status, body]).toEqual([401, { message: 'Unauthorized', class: '4XX' }]);
});

test('an answer is remembered for the identity it was given for, and no other', async () => {
  const tenantOf = async (key: string) =>
    (
      (await call('by-request', { 'X-Key': key })).body as {
        requestContext: { authorizer: { tenant: string } };
      }
    ).requestContext.authorizer.tenant;

  expect(await tenantOf('a')).toBe('tenant of a');
  expect(await tenantOf('b')).toBe('tenant of b');
  expect(await tenantOf('a')).toBe('tenant of a');
  expect(log.filter((line) => line.startsWith('asked'))).toHaveLength(2);
});

test('IAM takes a signature at its word, and its absence for none', async () => {
  const Authorization =
    'AWS4-HMAC-SHA256 Credential=AKID/20260101/us-east-1/execute-api/aws4_request, Signature=x';

  expect((await call('by-iam')).status).toBe(403);
  expect((await call('by-iam', { Authorization })).body).toMatchObject({
    requestContext: { identity: { caller: 'AKID', accountId: '000000000000' } },
  });
});

test('a MOCK answers with its template, and its URL is the one served here', async () => {
  const { headers, body } = await call('mock');

  expect(headers.get('content-type')).toBe('application/json');
  expect(body).toEqual({ resource: `${engine.url}/mcp`, path: '/prod/mock' });
});

test.each([
  ['https://first.example', 'https://first.example'],
  ['https://second.example', 'https://second.example'],
  ['https://other.example', 'https://first.example'],
])('a preflight of several origins: %s', async (Origin, allowed) => {
  const { headers } = await fetch(`${engine.url}/mock`, { method: 'OPTIONS', headers: { Origin } });

  expect(headers.get('access-control-allow-origin')).toBe(allowed);
});

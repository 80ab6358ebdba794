import { expect, test } from '@jest/globals';
import { withEngine } from './fixture/engine.ts';

const bed = withEngine({}, { integrationTimeoutMs: 300 });
const call = (path: string, init?: RequestInit): Promise<Response> => fetch(`${bed.engine.url}${path}`, init);
const post = (body: RequestInit['body']): Promise<Response> => call('/echo', { method: 'POST', body });

test('hands the request to the function as a REST proxy event', async () => {
  const response = await call('/echo/a%20b?x=1&x=2', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', 'X-Custom': 'yes' },
    body: '{"é":1}',
  });
  expect(await response.json()).toMatchObject({
    resource: '/echo/{id}',
    path: '/echo/a%20b',
    httpMethod: 'PUT',
    headers: { 'Content-Type': 'application/json', 'X-Custom': 'yes', 'X-Forwarded-Proto': 'http' },
    multiValueHeaders: { 'X-Custom': ['yes'] },
    queryStringParameters: { x: '2' },
    multiValueQueryStringParameters: { x: ['1', '2'] },
    pathParameters: { id: 'a b' },
    stageVariables: null,
    requestContext: {
      accountId: '000000000000',
      apiId: 'Api',
      stage: 'prod',
      path: '/prod/echo/a%20b',
      domainName: new URL(bed.engine.url).host,
      identity: { sourceIp: expect.stringContaining('127.0.0.1') },
      requestId: expect.any(String),
    },
    body: '{"é":1}',
    isBase64Encoded: false,
  });
});

test('gives a body that is no UTF-8 as base64, and none as null', async () => {
  expect(await (await post(new Uint8Array([255, 0]))).json()).toMatchObject({
    body: '/wA=',
    isBase64Encoded: true,
  });
  expect(await (await call('/echo')).json()).toMatchObject({
    body: null,
    isBase64Encoded: false,
    queryStringParameters: null,
    pathParameters: null,
  });
});

test('turns the proxy result into the response', async () => {
  const response = await call('/echo?status=418');
  expect(response.status).toBe(418);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(response.headers.get('www-authenticate')).toBeNull();
  expect(response.headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer');
  expect(new Uint8Array(await (await call('/echo?binary=1')).arrayBuffer())).toEqual(
    new Uint8Array([0, 255]),
  );
});

test('answers a CORS preflight from the template', async () => {
  const response = await call('/echo', { method: 'OPTIONS' });
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-allow-headers')).toBe('Content-Type,Mcp-Method');
});

test.each([
  ['an unknown path', '/nowhere', 'GET'],
  ['an unknown method', '/echo', 'DELETE'],
  ['the stage, which is not part of the path here', '/prod/echo', 'GET'],
])('answers %s as API Gateway does', async (_, path, method) => {
  const response = await call(path, { method });
  expect([response.status, await response.json()]).toEqual([
    403,
    { message: 'Missing Authentication Token' },
  ]);
});

test.each(['throw', 'malformed'])('answers 502 when the function does: %s', async (what) => {
  const response = await call(`/echo?${what}=1`);
  expect([response.status, await response.json()]).toEqual([502, { message: 'Internal server error' }]);
});

test('answers 504 when the function takes too long', async () => {
  const response = await call('/echo?delay=600');
  expect([response.status, await response.json()]).toEqual([504, { message: 'Endpoint request timed out' }]);
});

test('answers 413 above 10 MB', async () => {
  const response = await post('x'.repeat(10 * 1024 * 1024 + 1));
  expect([response.status, await response.json()]).toEqual([413, { message: 'Request Too Long' }]);
});

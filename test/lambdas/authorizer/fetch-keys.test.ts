import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { discoverKeys, KeyCache } from '../../../lambdas/authorizer/fetch-keys.ts';

let server: Server;
let url: string;
let answers: Record<string, unknown>;
let requests: string[];

beforeEach(async () => {
  requests = [];
  answers = {};
  server = createServer(({ url: path = '' }, response) => {
    requests.push(path);
    if (answers[path] === undefined) response.writeHead(503).end();
    else response.end(JSON.stringify(answers[path]));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  jest.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});

const key = (kid: string) => ({ kty: 'RSA', kid, n: 'AQAB', e: 'AQAB' });
const jwtBy = (kid: string) => ({ header: { kid, alg: 'RS256' }, payload: {} }) as never;

test('keys older than an hour are fetched again, so that a withdrawn one stops counting', async () => {
  const cache = new KeyCache();
  answers['/keys'] = { keys: [key('old')] };
  await cache.getJwk(`${url}/keys`, jwtBy('old'));
  answers['/keys'] = { keys: [key('new')] };
  await cache.getJwk(`${url}/keys`, jwtBy('old'));
  expect(requests).toHaveLength(1);

  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_001);
  await expect(cache.getJwk(`${url}/keys`, jwtBy('old'))).rejects.toThrow('not found in the JWKS');
});

test('while the issuer is out of reach, the keys there are go on counting', async () => {
  const cache = new KeyCache();
  answers['/keys'] = { keys: [key('one')] };
  await cache.getJwk(`${url}/keys`, jwtBy('one'));
  answers = {};

  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_001);
  expect(await cache.getJwk(`${url}/keys`, jwtBy('one'))).toMatchObject({ kid: 'one' });
  expect(await cache.getJwk(`${url}/keys`, jwtBy('one'))).toMatchObject({ kid: 'one' });
  expect(requests).toHaveLength(2);
});

test('the configuration tells where the keys are, with and without a slash at the issuer’s end', async () => {
  for (const issuer of [url, `${url}/`]) {
    answers['/.well-known/openid-configuration'] = { issuer, jwks_uri: `${url}/keys` };
    expect(await discoverKeys(issuer)).toBe(`${url}/keys`);
  }
});

test.each([
  ['is of another issuer', { issuer: 'https://evil.example', jwks_uri: 'https://evil.example/keys' }],
  ['names no keys', { issuer: 'itself' }],
  ['is not there', undefined],
])('a configuration that %s is none', async (_, configuration) => {
  answers['/.well-known/openid-configuration'] = configuration;
  await expect(discoverKeys(url)).rejects.toThrow();
});

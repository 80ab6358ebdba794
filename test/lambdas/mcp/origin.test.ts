import { describe, expect, test } from '@jest/globals';
import { refuseForeign, type Allowed } from '../../../lambdas/mcp/origin.ts';

const statusOf = async (headers: Record<string, string>, allowed: Allowed): Promise<number> => {
  const serve = refuseForeign(async () => new Response('served'), allowed);
  const request = new Request('https://example.com/mcp', { method: 'POST', headers });
  return (await serve(request)).status;
};

describe('on AWS, with one page listed', () => {
  const allowed = { origins: ['https://app.example.com'] };

  test.each([
    ['no page', {}, 200],
    ['the listed page', { origin: 'https://app.example.com' }, 200],
    ['a page of another host', { origin: 'https://evil.example.com' }, 403],
    ['the listed host without TLS', { origin: 'http://app.example.com' }, 403],
    ['the listed host on another port', { origin: 'https://app.example.com:8443' }, 403],
    ['a sandboxed page', { origin: 'null' }, 403],
    ['two origins', { origin: 'https://app.example.com, https://evil.example.com' }, 403],
    ['any host that API Gateway let through', { host: 'abc.execute-api.eu-central-1.amazonaws.com' }, 200],
  ])('%s', async (_, headers, status) => {
    expect(await statusOf(headers as Record<string, string>, allowed)).toBe(status);
  });
});

describe('on a developer’s machine', () => {
  const allowed = { origins: [], hosts: ['localhost', '127.0.0.1', '[::1]'] };

  test.each([
    ['a program', { host: '127.0.0.1:3000' }, 200],
    ['a page of this machine', { host: 'localhost:3000', origin: 'http://localhost:6274' }, 200],
    ['over IPv6', { host: '[::1]:3000', origin: 'http://[::1]:6274' }, 200],
    ['a page from elsewhere', { host: 'localhost:3000', origin: 'https://evil.example.com' }, 403],
    ['a page that had its name point here', { host: 'evil.example.com' }, 403],
    ['a name that starts alike', { host: 'localhost.evil.example.com' }, 403],
  ])('%s', async (_, headers, status) => {
    expect(await statusOf(headers as Record<string, string>, allowed)).toBe(status);
  });
});

test('the refusal is a JSON-RPC error', async () => {
  const serve = refuseForeign(async () => new Response(), { origins: [] });
  const response = await serve(
    new Request('https://example.com/mcp', { headers: { origin: 'https://evil.example.com' } }),
  );
  expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
});

import { describe, expect, test } from '@jest/globals';
import { useAuthEngine } from '../support/auth-engine.ts';
import { bearer, postMcp } from '../support/http-client.ts';

const suite = useAuthEngine();
const { engine } = suite;
/** The page that a local stack lists. */
const LISTED = 'http://localhost:6274';

const preflight = (Origin: string) =>
  fetch(engine.mcpUrl, {
    method: 'OPTIONS',
    headers: {
      Origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,mcp-method',
    },
  });

describe('a page', () => {
  test('may ask without a token what it may send: the headers of MCP', async () => {
    const { status, headers } = await preflight(LISTED);

    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(LISTED);
    expect(headers.get('access-control-allow-methods')).toContain('POST');
    const names = headers.get('access-control-allow-headers')?.toLowerCase().split(',');
    expect(names).toEqual(
      expect.arrayContaining([
        'accept',
        'authorization',
        'content-type',
        'mcp-method',
        'mcp-name',
        'mcp-protocol-version',
      ]),
    );
  });

  test('that is listed reads what it is answered', async () => {
    const token = await suite.issuer.token('alice');
    const { status, headers } = await postMcp(
      engine.mcpUrl,
      'tools/list',
      {},
      { ...bearer(token), Origin: LISTED },
    );

    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe(LISTED);
    expect(headers.get('vary')).toContain('Origin');
  });

  test('that is not listed gets 403, and nothing its browser would let it read', async () => {
    const token = await suite.issuer.token('alice');
    const { status, headers } = await postMcp(
      engine.mcpUrl,
      'tools/list',
      {},
      { ...bearer(token), Origin: 'https://evil.example' },
    );

    expect(status).toBe(403);
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBe(LISTED);
  });

  test('reads the challenge too: that is how it finds out where to sign in', async () => {
    const { status, headers } = await postMcp(engine.mcpUrl, 'tools/list', {}, { Origin: LISTED });

    expect(status).toBe(401);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toBe('WWW-Authenticate');
  });
});

test('a request that is too large is answered with 413', async () => {
  const token = await suite.issuer.token('alice');
  const { status, body } = await postMcp(
    engine.mcpUrl,
    'tools/call',
    { name: 'countdown', arguments: { seconds: 1, padding: 'x'.repeat(1_000_000) } },
    bearer(token),
  );

  expect([status, body.error]).toEqual([413, 'request_too_large']);
});

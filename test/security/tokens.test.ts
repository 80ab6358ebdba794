import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  SignJWT,
  UnsecuredJWT,
  type JWTPayload,
} from 'jose';
import { AUDIENCE, SCOPE } from '../../local/issuer.ts';
import { useAuthEngine } from '../support/auth-engine.ts';
import { eventually } from '../local/fixture/eventually.ts';
import { bearer, postMcp } from '../support/http-client.ts';

const suite = useAuthEngine();
const { engine } = suite;

const now = (): number => Math.floor(Date.now() / 1000);
const call = (headers: Record<string, string | null>) => postMcp(engine.mcpUrl, 'tools/list', {}, headers);
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = (): JWTPayload => ({
  iss: suite.issuer.url,
  sub: 'alice',
  client_id: 'local-client',
  aud: AUDIENCE,
  scope: SCOPE,
  exp: now() + 600,
});

const CHALLENGE = () =>
  `Bearer scope="${SCOPE}", resource_metadata="${engine.url}/.well-known/oauth-protected-resource/mcp"`;

test('a good token is let in', async () => {
  const { status, body } = await call(bearer(await suite.issuer.token('alice')));

  expect(status).toBe(200);
  expect(body.result.tools.length).toBeGreaterThan(1);
});

test('the scheme is read in any case, as RFC 7235 has it', async () => {
  expect((await call({ authorization: `bEARER ${await suite.issuer.token('alice')}` })).status).toBe(200);
});

describe('401 with the challenge', () => {
  /** By the reason that the authorizer writes into its log; those of the first group never get that far. */
  const refused: Record<string, Record<string, () => Promise<string | null> | string | null>> = {
    'never asked': {
      'no header': () => null,
      'an empty header': () => '',
      'no token': () => 'Bearer',
      'another scheme': () => 'Basic YWxpY2U6c2VjcmV0',
      'two words': async () => `Bearer ${await suite.issuer.token('alice')} x`,
    },
    malformed: {
      'the algorithm none': () => `Bearer ${new UnsecuredJWT(claims()).encode()}`,
      'no JWT': () => 'Bearer opaque',
      'no JSON in it': () => 'Bearer YQ.Yg.Yw',
    },
    expired: {
      expired: async () => `Bearer ${await suite.issuer.token('alice', { exp: now() - 60 })}`,
    },
    invalid: {
      'without an expiry': async () => {
        const { exp: _, ...rest } = claims();
        const { kid, privateKey } = suite.issuer.key;
        return `Bearer ${await new SignJWT(rest).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)}`;
      },
    },
    'not yet valid': {
      'not yet valid': async () => `Bearer ${await suite.issuer.token('alice', { nbf: now() + 60 })}`,
    },
    issuer: {
      'another issuer': async () =>
        `Bearer ${await suite.issuer.token('alice', { iss: 'https://evil.example' })}`,
    },
    audience: {
      'another audience': async () => `Bearer ${await suite.issuer.token('alice', { aud: 'urn:other' })}`,
      'no audience': async () => `Bearer ${await suite.issuer.token('alice', { aud: undefined })}`,
    },
    algorithm: {
      'the algorithm none, naming the key': () => {
        const header = base64url({ alg: 'none', kid: suite.issuer.key.kid });
        return `Bearer ${header}.${base64url(claims())}.AA`;
      },
      'HS256 with the public key': async () => {
        const key = await importJWK(suite.issuer.key.publicJwk, 'RS256', { extractable: true });
        const secret = await exportSPKI(key as Parameters<typeof exportSPKI>[0]);
        const signed = `${base64url({ alg: 'HS256', kid: suite.issuer.key.kid })}.${base64url(claims())}`;
        return `Bearer ${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
      },
    },
    signature: {
      'the key of somebody else': async () => {
        const { privateKey } = await generateKeyPair('RS256');
        const header = { alg: 'RS256', kid: suite.issuer.key.kid };
        return `Bearer ${await new SignJWT(claims()).setProtectedHeader(header).sign(privateKey)}`;
      },
      'a key that comes along with it': async () => {
        const { privateKey, publicKey } = await generateKeyPair('RS256');
        const header = { alg: 'RS256', kid: suite.issuer.key.kid, jwk: await exportJWK(publicKey) };
        return `Bearer ${await new SignJWT(claims()).setProtectedHeader(header).sign(privateKey)}`;
      },
      'claims changed after signing': async () => {
        const [header, , signature] = (await suite.issuer.token('bob')).split('.');
        return `Bearer ${header}.${base64url(claims())}.${signature}`;
      },
    },
    'no tenant': {
      'nobody it could be about': async () =>
        `Bearer ${await suite.issuer.token('alice', { sub: undefined, client_id: undefined })}`,
    },
  };

  const cases = Object.entries(refused).flatMap(([reason, makers]) =>
    Object.entries(makers).map(([name, make]) => ({ name, reason, make })),
  );

  test.each(cases)('$name', async ({ make, reason }) => {
    const logged = engine.logs.length;
    const authorization = await make();
    const { status, headers, text } = await call({ Authorization: authorization });

    expect([status, headers.get('www-authenticate')]).toEqual([401, CHALLENGE()]);
    expect(headers.get('x-amzn-remapped-www-authenticate')).toBeNull();
    expect(JSON.parse(text)).toEqual({ error: 'unauthorized', error_description: expect.any(String) });
    if (reason !== 'never asked') {
      const line = await eventually(() =>
        engine.logs.slice(logged).find((one) => one.includes('Token refused')),
      );
      expect(JSON.parse(line)).toMatchObject({ reason });
    }
  });
});

describe('403 insufficient_scope, naming the scopes', () => {
  test.each([
    ['another scope', 'other:scope'],
    ['a scope that only begins the same', `${SCOPE}:extra`],
    ['no scope', undefined],
  ])('%s', async (_, scope) => {
    const { status, headers, body } = await call(bearer(await suite.issuer.token('alice', { scope })));

    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", ${CHALLENGE().slice('Bearer '.length)}, ` +
        `error_description="The token must carry these scopes: ${SCOPE}"`,
    );
    expect(body.error).toBe('insufficient_scope');
  });

  test('one scope among several is enough', async () => {
    const token = await suite.issuer.token('alice', { scope: `openid ${SCOPE}` });
    expect((await call(bearer(token))).status).toBe(200);
  });
});

describe('400, malformed', () => {
  test('a token in the URL, even beside a good one', async () => {
    const token = await suite.issuer.token('alice');
    const { status, body } = await postMcp(
      `${engine.mcpUrl}?access_token=${token}`,
      'tools/list',
      {},
      bearer(token),
    );
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });

  test('a token in the URL alone is no token', async () => {
    const token = await suite.issuer.token('alice');
    expect((await postMcp(`${engine.mcpUrl}?access_token=${token}`, 'tools/list')).status).toBe(401);
  });
});

describe('protected resource metadata (RFC 9728)', () => {
  test.each(['', '/mcp'])('without a token, at …/oauth-protected-resource%s', async (suffix) => {
    const response = await fetch(`${engine.url}/.well-known/oauth-protected-resource${suffix}`, {
      headers: { 'MCP-Protocol-Version': '2026-07-28' },
    });

    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual({
      resource: engine.mcpUrl,
      authorization_servers: [suite.issuer.url],
      scopes_supported: [SCOPE],
      bearer_methods_supported: ['header'],
      resource_name: 'serverless-mcp-tasks',
    });
  });

  test('the challenge leads to it, and it leads to the issuer’s configuration', async () => {
    const { headers } = await call({});
    const [, url = ''] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
    const metadata = (await (await fetch(url)).json()) as { authorization_servers: string[] };
    const [issuer] = metadata.authorization_servers;
    const configuration = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
    expect(configuration).toMatchObject({ issuer });
  });
});

describe('the issuer’s keys', () => {
  beforeAll(async () => void (await call(bearer(await suite.issuer.token('alice')))));

  test('are asked for once, not per request', async () => {
    const before = suite.issuer.keyRequests;
    for (const person of ['alice', 'bob', 'carol']) {
      expect((await call(bearer(await suite.issuer.token(person)))).status).toBe(200);
    }
    expect(suite.issuer.keyRequests).toBe(before);
  });

  test('a token of a new key is let in, and then one of the old key no more', async () => {
    const old = await suite.issuer.token('alice');
    await suite.issuer.rotate();

    expect((await call(bearer(await suite.issuer.token('alice')))).status).toBe(200);
    expect((await call(bearer(old))).status).toBe(401);
  });

  test('an invented key id is refused, and does not flood the issuer', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const before = suite.issuer.keyRequests;
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const header = { alg: 'RS256', kid: randomUUID() };
      const token = await new SignJWT(claims()).setProtectedHeader(header).sign(privateKey);
      expect((await call(bearer(token))).status).toBe(401);
    }
    expect(suite.issuer.keyRequests - before).toBeLessThanOrEqual(1);
  });
});

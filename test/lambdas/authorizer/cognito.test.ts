import { beforeAll, expect, test } from '@jest/globals';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { verifierFor, type VerifyToken } from '../../../lambdas/authorizer/verify-token.ts';

const POOL = 'eu-central-1_Example1';
const ISSUER = `https://cognito-idp.eu-central-1.amazonaws.com/${POOL}`;
const RESOURCE = 'https://abc.execute-api.eu-central-1.amazonaws.com/prod/mcp';

let verify: VerifyToken;
let sign: (claims?: JWTPayload) => Promise<string>;

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const keys = new SimpleJwksCache();
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  keys.addJwks(`${ISSUER}/.well-known/jwks.json`, { keys: [jwk as never] });
  verify = verifierFor(
    {
      TOKENS: 'cognito',
      USER_POOL_ID: POOL,
      CLIENT_IDS: ['people', 'machines'],
      RESOURCE,
      SCOPES: ['mcp/tools'],
    },
    keys,
  );
  /** An access token as Cognito makes it: `client_id`, and no `aud`. */
  sign = (claims) =>
    new SignJWT({
      iss: ISSUER,
      sub: 'a7c1',
      client_id: 'people',
      token_use: 'access',
      scope: 'mcp/tools',
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setExpirationTime(claims?.exp ?? '1 hour')
      .sign(privateKey);
});

test.each<[string, JWTPayload]>([
  ['a person’s token', {}],
  ['a machine’s token', { sub: 'machines', client_id: 'machines' }],
  ['a token that was asked for with this resource (RFC 8707)', { aud: RESOURCE }],
])('%s is good', async (_, claims) => {
  expect(await verify(await sign(claims))).toMatchObject({ token_use: 'access' });
});

test.each<[string, JWTPayload, RegExp]>([
  ['an ID token', { token_use: 'id' }, /Token use not allowed/],
  ['an ID token, by its audience', { token_use: 'id', aud: 'people' }, /another resource/],
  ['another client’s token', { client_id: 'other' }, /Client ID not allowed/],
  ['a token without a client', { client_id: undefined }, /Missing Client ID/],
  ['another pool’s token', { iss: `${ISSUER}2` }, /issuer not configured/],
  [
    'a token that was asked for with another resource',
    { aud: 'https://other.example/mcp' },
    /another resource/,
  ],
  ['an expired token', { exp: Math.floor(Date.now() / 1000) - 60 }, /expired/],
])('%s is not', async (_, claims, reason) => {
  await expect(sign(claims).then(verify)).rejects.toThrow(reason);
});

import { Logger } from '@aws-lambda-powertools/logger';
import { expect, test } from '@jest/globals';
import { FetchError, JwtExpiredError } from 'aws-jwt-verify/error';
import { authorizeWith } from '../../../lambdas/authorizer/authorize.ts';
import type { VerifyToken } from '../../../lambdas/authorizer/verify-token.ts';

const methodArn = 'arn:aws:execute-api:eu-central-1:123456789012:abc/prod/POST/mcp';
const environment = {
  TOKENS: 'jwt' as const,
  ISSUER: 'https://issuer.example',
  AUDIENCE: 'urn:mcp',
  SCOPES: ['read', 'write'],
};

const decide = (verify: VerifyToken) =>
  authorizeWith(
    verify,
    environment,
    new Logger({ logLevel: 'SILENT' }),
  )({
    type: 'TOKEN',
    authorizationToken: 'Bearer secret-token',
    methodArn,
  });
const withScope =
  (scope: string): VerifyToken =>
  async () => ({ sub: 'alice', scope, exp: 2_000_000_000 });

test('allows the stage, since API Gateway may remember the answer for another method', async () => {
  const { policyDocument } = await decide(withScope('read write'));

  expect(policyDocument.Statement).toEqual([
    {
      Action: 'execute-api:Invoke',
      Effect: 'Allow',
      Resource: 'arn:aws:execute-api:eu-central-1:123456789012:abc/prod/*',
    },
  ]);
});

test('says who calls, in texts, and nothing of the token', async () => {
  const result = await decide(withScope('read write other'));

  expect(result).toMatchObject({
    principalId: 'user:alice',
    context: { tenant: 'user:alice', clientId: 'alice', scopes: 'read write other', expiresAt: '2000000000' },
  });
  expect(JSON.stringify(result)).not.toContain('secret-token');
});

test.each(['', 'read', 'write', 'reading writing'])('denies a token with the scopes "%s"', async (scope) => {
  const { policyDocument } = await decide(withScope(scope));

  expect(policyDocument.Statement).toMatchObject([{ Effect: 'Deny' }]);
});

test('a bad token is exactly "Unauthorized": API Gateway makes a 401 of no other word', async () => {
  const decision = decide(() => Promise.reject(new JwtExpiredError('expired', 0)));

  await expect(decision).rejects.toThrow(/^Unauthorized$/);
});

test('an issuer out of reach is not the caller’s fault', async () => {
  const decision = decide(() => Promise.reject(new FetchError('https://issuer.example', 'timeout')));

  await expect(decision).rejects.not.toThrow(/^Unauthorized$/);
});

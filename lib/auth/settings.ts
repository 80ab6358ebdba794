import * as z from 'zod';
import { list, secureUrl, type Requirement } from '../context-values.ts';

/** Who may call. */
const auth = z
  .enum(['cognito', 'jwt', 'iam', 'none'], {
    error: ({ input }) =>
      `${JSON.stringify(input)} is no way to authenticate callers. There are: cognito (the default: the stack ` +
      'makes a user pool), jwt (an OIDC issuer of yours), iam (SigV4) and none (open to everybody).',
  })
  .default('cognito');

/** They stand in a quoted header value: RFC 6749, section 3.3. */
const scopes = list.refine(
  (all) => all.every((scope) => /^[\x21\x23-\x26\x28-\x5b\x5d-\x7e]+$/.test(scope)),
  {
    error: 'a scope has neither quotes nor backslashes',
  },
);

export const authSettings = {
  auth,
  /** auth=jwt: the issuer, word for word as its tokens name it. */
  jwtIssuer: secureUrl.optional(),
  /** auth=jwt: what the issuer puts into `aud` of the tokens that are meant for this server. */
  jwtAudience: z.string().min(1).optional(),
  /** auth=jwt: scopes that a token must carry, all of them. */
  jwtScopes: scopes.optional(),
  /** auth=jwt: where the issuer's keys are. By default its OpenID configuration tells. */
  jwtJwksUrl: secureUrl.optional(),
  /** auth=cognito: where a person may be sent back to after signing in. By default to the MCP Inspector. */
  callbackUrls: list.default(['http://localhost:6274/oauth/callback']),
  /** auth=cognito: further clients of the pool whose tokens are accepted, by their ids. */
  clientIds: list.default([]),
  /** The claim that names the tenant. By default every person is one, and every machine. */
  tenantClaim: z.string().min(1).optional(),
  /** How long API Gateway remembers what a token was good for. Its expiry may be noticed that much later. */
  authorizerCacheSeconds: z.coerce.number().int().min(0).max(3_600).default(60),
  /** Whether logs name tenants, or only a hash of them. */
  logTenants: z.enum(['plain', 'hashed']).default('plain'),
};

export const authRequirements: Requirement<keyof typeof authSettings>[] = [
  {
    when: ['auth', 'jwt'],
    needs: ['jwtIssuer', 'jwtAudience', 'jwtScopes'],
    hint: 'auth=jwt verifies your issuer’s tokens. Add -c jwtIssuer=https://… -c jwtAudience=… -c jwtScopes=…',
  },
];

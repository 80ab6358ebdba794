import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { AuthorizationType, TokenAuthorizer, type MethodOptions } from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import type { AuthorizerVariables } from '../../lambdas/authorizer/environment.ts';
import { NodeFunction } from '../node-function.ts';
import { settingsOf } from '../settings.ts';
import type { ProtectedApi } from './authentication.ts';
import { challenge } from './challenge.ts';
import { publishMetadata } from './resource-metadata.ts';

type Tokens<Variables> = Variables extends unknown ? Omit<Variables, 'SCOPES' | 'TENANT_CLAIM'> : never;

export interface AcceptTokensProps {
  /** Who issues the tokens: the authorization server that clients are sent to. */
  issuer: string;
  /** A token must carry all of them. */
  scopes: string[];
  /** How the authorizer verifies them. */
  tokens: Tokens<AuthorizerVariables>;
}

/** What the Authorization header looks like (RFC 6750, section 2.1). Anything else is a 401 that runs no Lambda. */
const BEARER = '^[Bb][Ee][Aa][Rr][Ee][Rr] +[A-Za-z0-9._~+/-]+=*$';

/** Makes an API an OAuth resource server: verified tokens, challenges for everybody else, and metadata (RFC 9728). */
export const acceptTokens = (
  scope: Construct,
  api: ProtectedApi,
  { issuer, scopes, tokens }: AcceptTokensProps,
): MethodOptions => {
  const { authorizerCacheSeconds, tenantClaim } = settingsOf(scope);
  const handler = new NodeFunction(scope, 'Authorizer function', {
    entry: join(import.meta.dirname, '../../lambdas/authorizer/handler.ts'),
    timeout: Duration.seconds(10),
    environment: {
      ...tokens,
      SCOPES: scopes.join(' '),
      ...(tenantClaim && { TENANT_CLAIM: tenantClaim }),
    } satisfies AuthorizerVariables,
  });
  const authorizer = new TokenAuthorizer(scope, 'Authorizer', {
    handler,
    // What is remembered is remembered under the whole header, so a caller only ever meets their own identity.
    resultsCacheTtl: Duration.seconds(authorizerCacheSeconds),
    validationRegex: BEARER,
  });

  const metadataUrl = publishMetadata(api, { issuer, scopes });
  challenge(api.restApi, { metadataUrl, scopes });
  return { authorizationType: AuthorizationType.CUSTOM, authorizer };
};

import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import type { AuthorizerEnvironment } from './environment.ts';
import { identityOf } from './identity.ts';
import { reasonOf } from './reason.ts';
import type { VerifyToken } from './verify-token.ts';

/** This very word makes API Gateway answer 401, with the challenge of its UNAUTHORIZED response. */
class Unauthorized extends Error {
  constructor() {
    super('Unauthorized');
  }
}

/**
 * Lets a request through with who it comes from, or not: a bad token is `Unauthorized` (401), a good one that lacks a
 * scope is denied (403). If the issuer is out of reach, the error passes (500): the caller's token may be fine.
 */
export const authorizeWith =
  (verify: VerifyToken, { SCOPES, TENANT_CLAIM }: AuthorizerEnvironment, log: Logger) =>
  async ({
    authorizationToken,
    methodArn,
  }: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorizationToken) ?? [];
    try {
      const { tenant, clientId, scopes, expiresAt } = identityOf(await verify(token), TENANT_CLAIM);
      const isEnough = SCOPES.every((scope) => scopes.includes(scope));
      if (!isEnough) log.info('Token lacks a scope', { required: SCOPES });
      return {
        principalId: tenant,
        policyDocument: {
          Version: '2012-10-17',
          Statement: [
            {
              Action: 'execute-api:Invoke',
              Effect: isEnough ? 'Allow' : 'Deny',
              Resource: wholeStage(methodArn),
            },
          ],
        },
        // Texts, as API Gateway hands them on. The token itself goes no further than this function.
        context: { tenant, clientId, scopes: scopes.join(' '), expiresAt: String(expiresAt) },
      };
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) {
        log.error('The token could not be checked', { error: error as Error });
        throw error;
      }
      log.info('Token refused', { reason });
      throw new Unauthorized();
    }
  };

/** API Gateway may remember the answer for the token's next request, whatever its method. */
const wholeStage = (methodArn: string): string => `${methodArn.split('/').slice(0, 2).join('/')}/*`;

import type { AuthInfo } from '@modelcontextprotocol/server';
import type { APIGatewayProxyEvent } from 'aws-lambda';

/** What the authorizer said about the token, all of it text (lambdas/authorizer). */
interface TokenContext {
  tenant: string;
  clientId: string;
  scopes: string;
  expiresAt: string;
}

/** The token has been verified and stays behind: nothing here could pass it on. */
const NO_TOKEN = '';

/**
 * Who calls, as the API verified it; undefined where it was not told to ask. It never comes from anything a caller
 * can write, so neither headers nor arguments are looked at.
 * @param iamTenant with SigV4: whether a user or role is a tenant of its own, or shares their account's.
 */
export const callerOf = (
  { requestContext: { authorizer, identity } }: APIGatewayProxyEvent,
  iamTenant: 'principal' | 'accountId' = 'principal',
): AuthInfo | undefined => {
  if (authorizer?.['tenant']) return fromToken(authorizer as unknown as TokenContext);
  if (!identity?.caller || !identity.accountId) return undefined;
  // Of a role the unique id, not what its session is called: the next session finds the same tasks.
  const [principal = ''] = identity.caller.split(':');
  return {
    token: NO_TOKEN,
    clientId: principal,
    scopes: [],
    extra: { tenant: iamTenant === 'accountId' ? `account:${identity.accountId}` : `iam:${principal}` },
  };
};

const fromToken = ({ tenant, clientId, scopes, expiresAt }: TokenContext): AuthInfo => ({
  token: NO_TOKEN,
  clientId,
  scopes: scopes.split(' ').filter(Boolean),
  expiresAt: Number(expiresAt),
  extra: { tenant },
});

/** Everybody's, in an API that is open. */
const PUBLIC = 'public';

/**
 * Whose tasks a caller may reach.
 * @throws where callers are verified and this one was not: an API set up wrongly must not turn into an open one
 */
export const tenantOf =
  (auth: 'cognito' | 'jwt' | 'iam' | 'none') =>
  (caller: AuthInfo | undefined): string => {
    if (auth === 'none') return PUBLIC;
    const tenant = caller?.extra?.['tenant'];
    if (typeof tenant !== 'string' || tenant === '') throw new Error('The API did not say who calls.');
    return tenant;
  };

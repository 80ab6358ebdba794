import { JwtVerifier } from 'aws-jwt-verify';
import { CognitoJwtVerifier } from 'aws-jwt-verify/cognito-verifier';
import { JwtInvalidAudienceError, JwtInvalidClaimError } from 'aws-jwt-verify/error';
import type { JwksCache } from 'aws-jwt-verify/jwk';
import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import type { AuthorizerEnvironment } from './environment.ts';
import { discoverKeys, KeyCache } from './fetch-keys.ts';

/** @throws JwtBaseError for a token that is not good, FetchError if that could not be found out */
export type VerifyToken = (token: string) => Promise<JwtPayload>;

/** By how much our clock and the issuer's may differ. */
const CLOCK_TOLERANCE_SECONDS = 10;

class JwtWithoutExpiryError extends JwtInvalidClaimError {}

/** The library checks an expiry that is there, and this one must be. */
const mustExpire = ({ payload }: { payload: JwtPayload }): void => {
  if (payload.exp === undefined) throw new JwtWithoutExpiryError('Token never expires', undefined);
};

/**
 * Signature (asymmetric algorithms only, and only the one of the key), issuer, audience, expiry. Scopes are not looked
 * at here: a token that lacks one is good, but not enough.
 */
export const verifierFor = (
  environment: AuthorizerEnvironment,
  jwksCache: JwksCache = new KeyCache(),
): VerifyToken =>
  environment.TOKENS === 'cognito'
    ? cognitoVerifier(environment, jwksCache)
    : oidcVerifier(environment, jwksCache);

type Of<Tokens> = Extract<AuthorizerEnvironment, { TOKENS: Tokens }>;

/**
 * A Cognito access token says `client_id` where others say `aud`, so the client is checked. It has an `aud` too when
 * a person's client asked for this very resource (RFC 8707, as MCP clients must); then that is checked as well.
 */
const cognitoVerifier = (
  { USER_POOL_ID, CLIENT_IDS, RESOURCE }: Of<'cognito'>,
  jwksCache: JwksCache,
): VerifyToken => {
  const verifier = CognitoJwtVerifier.create(
    {
      userPoolId: USER_POOL_ID,
      clientId: CLIENT_IDS,
      tokenUse: 'access',
      graceSeconds: CLOCK_TOLERANCE_SECONDS,
      customJwtCheck: (token) => {
        mustExpire(token);
        const { aud } = token.payload;
        if (aud !== undefined && ![aud].flat().includes(RESOURCE)) {
          throw new JwtInvalidAudienceError('Token is for another resource', aud, RESOURCE);
        }
      },
    },
    { jwksCache },
  );
  return (token) => verifier.verify(token);
};

const oidcVerifier = ({ ISSUER, AUDIENCE, JWKS_URL }: Of<'jwt'>, jwksCache: JwksCache): VerifyToken => {
  const make = async () =>
    JwtVerifier.create(
      {
        issuer: ISSUER,
        audience: AUDIENCE,
        jwksUri: JWKS_URL ?? (await discoverKeys(ISSUER)),
        graceSeconds: CLOCK_TOLERANCE_SECONDS,
        customJwtCheck: mustExpire,
      },
      { jwksCache },
    );
  let made: ReturnType<typeof make> | undefined;
  return async (token) => {
    const verifier = await (made ??= make().catch((error: unknown) => {
      // The next request tries again.
      made = undefined;
      throw error;
    }));
    return verifier.verify(token);
  };
};

import * as errors from 'aws-jwt-verify/error';
import { NoIdentity } from './identity.ts';

/** Words for the log. Messages of the library quote claims, and a bundle does not keep the names of classes. */
const reasons: [new (...args: never[]) => Error, string][] = [
  [errors.JwtParseError, 'malformed'],
  [errors.JwtInvalidSignatureAlgorithmError, 'algorithm'],
  [errors.JwtInvalidSignatureError, 'signature'],
  [errors.KidNotFoundInJwksError, 'unknown key'],
  [errors.WaitPeriodNotYetEndedJwkError, 'unknown key'],
  [errors.JwtWithoutValidKidError, 'no key id'],
  [errors.JwtExpiredError, 'expired'],
  [errors.JwtNotBeforeError, 'not yet valid'],
  [errors.JwtInvalidIssuerError, 'issuer'],
  // Another pool's token: the library takes it for a question of its configuration.
  [errors.ParameterValidationError, 'issuer'],
  [errors.JwtInvalidAudienceError, 'audience'],
  [errors.CognitoJwtInvalidClientIdError, 'client'],
  [errors.CognitoJwtInvalidTokenUseError, 'not an access token'],
  [NoIdentity, 'no tenant'],
];

/** Why a token was refused. Undefined if the error says nothing about the token. */
export const reasonOf = (error: unknown): string | undefined => {
  const known = reasons.find(([kind]) => error instanceof kind);
  if (known) return known[1];
  if (error instanceof errors.FetchError || error instanceof errors.JwksValidationError) return undefined;
  return error instanceof errors.JwtBaseError ? 'invalid' : undefined;
};

import type { MethodOptions } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { settingsOf } from '../settings.ts';
import type { Authentication, ProtectedApi } from './authentication.ts';
import { acceptTokens } from './accept-tokens.ts';

/** Access tokens of an OIDC issuer that is already there. */
export class JwtAuthentication extends Construct implements Authentication {
  protect(api: ProtectedApi): MethodOptions {
    const { jwtIssuer, jwtAudience, jwtScopes, jwtJwksUrl } = settingsOf(this);
    // The settings have been checked: this mode has all three.
    return acceptTokens(this, api, {
      issuer: jwtIssuer!,
      scopes: jwtScopes!,
      tokens: {
        TOKENS: 'jwt',
        ISSUER: jwtIssuer!,
        AUDIENCE: jwtAudience!,
        ...(jwtJwksUrl && { JWKS_URL: jwtJwksUrl }),
      },
    });
  }
}

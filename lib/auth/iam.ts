import { Annotations } from 'aws-cdk-lib';
import { AuthorizationType, type MethodOptions } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { settingsOf } from '../settings.ts';
import type { Authentication } from './authentication.ts';

/**
 * Callers sign with SigV4, and need `execute-api:Invoke` on POST /mcp. Their tenant is the IAM user or role, whatever
 * the session is called. There is no OAuth in it, so no challenge and no metadata.
 */
export class IamAuthentication extends Construct implements Authentication {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { tenantClaim = 'accountId' } = settingsOf(this);
    if (tenantClaim !== 'accountId') {
      Annotations.of(this).addError(
        `tenantClaim: auth=iam has no claims. Leave it out (a user or role is a tenant) or say accountId.`,
      );
    }
  }

  protect(): MethodOptions {
    return { authorizationType: AuthorizationType.IAM };
  }
}

import { Annotations, CfnOutput, Validations } from 'aws-cdk-lib';
import { AuthorizationType, type MethodOptions } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import type { Authentication, ProtectedApi } from './authentication.ts';

const WARNING = 'Anybody who knows the URL may call every tool and reach every task: auth=none.';

/** Nobody is asked. For a sandbox, and for a local engine that only listens on this machine. */
export class NoAuthentication extends Construct implements Authentication {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    Annotations.of(this).addWarningV2('serverless-mcp-tasks:open', WARNING);
    new CfnOutput(this, 'Warning', { value: WARNING });
  }

  protect({ restApi }: ProtectedApi): MethodOptions {
    Validations.of(restApi).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: `Asked for in so many words. ${WARNING}`,
    });
    return { authorizationType: AuthorizationType.NONE };
  }
}

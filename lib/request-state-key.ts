import { RemovalPolicy } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { NodeFunction } from './node-function.ts';

/**
 * What seals the state that tools keep between the rounds of a call. Secrets Manager makes the value up, so it is in
 * no template and no environment. To change it costs callers the rounds of the last ten minutes, nothing else.
 */
export class RequestStateKey extends Secret {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      description: 'Seals the requestState of tools that ask before they answer.',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  /** Lets the endpoint read the value, and tells it where. */
  bindTo(endpoint: NodeFunction): void {
    Grant.addToPrincipal({
      grantee: endpoint,
      actions: ['secretsmanager:GetSecretValue'],
      resourceArns: [this.secretArn],
    });
    endpoint.addEnvironment('REQUEST_STATE_SECRET', this.secretArn);
  }
}

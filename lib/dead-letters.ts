import { Duration, Validations } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { queueEncryption } from './edge/encryption-key.ts';
import type { NodeFunction } from './node-function.ts';

/** What nobody could handle is kept here for two weeks. lib/observability watches it. */
export class DeadLetters extends Queue {
  /** @param of what sends to it, for cdk-nag */
  constructor(scope: Construct, id: string, of: string) {
    super(scope, id, { ...queueEncryption(scope), enforceSSL: true, retentionPeriod: Duration.days(14) });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: `It is a dead-letter queue itself, of ${of}. lib/observability watches it.`,
    });
  }

  /** For cdk-nag: what a function is granted that sends here. */
  explainTo(sender: NodeFunction): void {
    for (const action of ['ReEncrypt', 'GenerateDataKey']) {
      Validations.of(sender.role!).acknowledge({
        id: `AwsSolutions-IAM5[Action::kms:${action}*]`,
        reason:
          'With a key of one’s own: as the CDK lets a function send to a queue, and for that key alone.',
      });
    }
  }
}

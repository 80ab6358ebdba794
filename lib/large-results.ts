import { Duration, Stack, Validations, type CfnElement } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { AnyTool } from '../lambdas/protocol/define-tool.ts';
import type { NodeFunction } from './node-function.ts';
import { bucketEncryption } from './edge/encryption-key.ts';
import { EmptiedOnRemoval } from './emptied-on-removal.ts';
import { settingsOf } from './settings.ts';

/** Results too large for a task's record. Private; readers get them through tasks/get, or by a URL it signs for them. */
export class LargeResults extends Bucket {
  constructor(scope: Construct, id: string, tools: readonly AnyTool[]) {
    const { dataRemoval, protectData, taskRetentionMinutes } = settingsOf(scope);
    super(scope, id, {
      ...bucketEncryption(scope),
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      // A result is of no use without its record. S3 counts in whole days, from midnight.
      lifecycleRules: [{ expiration: Duration.days(longestLifeDays(tools, taskRetentionMinutes) + 1) }],
      removalPolicy: dataRemoval,
    });
    if (!protectData) new EmptiedOnRemoval(this, 'Emptied');
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'A log of its own would outlive what it is about. CloudTrail’s data events log access, if you need it.',
    });
  }

  /** Lets the endpoint deliver results. */
  bindTo(endpoint: NodeFunction): void {
    this.explainTo(endpoint);
    endpoint.addToRolePolicy(this.objects('s3:GetObject'));
    endpoint.addEnvironment('RESULT_BUCKET', this.bucketName);
    endpoint.addEnvironment('INLINE_RESULT_BYTES', String(settingsOf(this).largestInlineResultBytes));
  }

  /** Lets a step store its result. */
  writtenBy(step: NodeFunction): void {
    this.explainTo(step);
    step.addToRolePolicy(this.objects('s3:PutObject'));
    step.addEnvironment('RESULT_BUCKET', this.bucketName);
    step.addEnvironment('STORE_ABOVE_BYTES', String(settingsOf(this).storeResultsAboveBytes));
  }

  /** For cdk-nag: why a function's policy ends in a wildcard. */
  private explainTo(reader: NodeFunction): void {
    const name = Stack.of(this).getLogicalId(this.node.defaultChild as CfnElement);
    Validations.of(reader).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${name}.Arn>/*]`,
      reason: 'Results get their names when tasks end, and all of this bucket’s objects are results.',
    });
  }

  private objects(action: string): PolicyStatement {
    return new PolicyStatement({ actions: [action], resources: [this.arnForObjects('*')] });
  }
}

/** Of a task and its record; the year of an unlimited one, whose execution cannot take longer. */
const longestLifeDays = (tools: readonly AnyTool[], retentionMinutes: number): number => {
  const lives = tools.map((tool) =>
    tool.kind === 'sync'
      ? 0
      : tool.ttlMs === null
        ? 365 * 86_400_000
        : Math.max(tool.ttlMs, tool.maxTtlMs ?? 0),
  );
  return Math.ceil((Math.max(...lives, 0) / 60_000 + retentionMinutes) / 1_440);
};

import { join } from 'node:path';
import { CustomResource, Duration, Stack, Tags, Validations, type CfnElement } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Tag } from '../lambdas/removal/empty-bucket.ts';
import { NodeFunction } from './node-function.ts';

/** The Lambda looks for it before it deletes anything. */
const TAG: Tag = 'emptied-on-removal';

/**
 * Empties a bucket when its stack goes, since AWS deletes none with objects in it. The CDK's `autoDeleteObjects` does
 * so too, but leaves the log of its function behind, for ever, under a role with a policy that AWS wrote.
 */
export class EmptiedOnRemoval extends Construct {
  constructor(bucket: Bucket, id: string) {
    super(bucket, id);
    Tags.of(bucket).add(TAG, 'true', { includeResourceTypes: ['AWS::S3::Bucket'] });
    const handler = new NodeFunction(this, 'Function', {
      entry: join(import.meta.dirname, '../lambdas/removal/handler.ts'),
      timeout: Duration.minutes(15),
    });
    handler.addToRolePolicy(
      new PolicyStatement({
        actions: ['s3:GetBucketTagging', 's3:ListBucket'],
        resources: [bucket.bucketArn],
      }),
    );
    handler.addToRolePolicy(
      new PolicyStatement({ actions: ['s3:DeleteObject'], resources: [bucket.arnForObjects('*')] }),
    );
    const name = Stack.of(this).getLogicalId(bucket.node.defaultChild as CfnElement);
    Validations.of(handler).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${name}.Arn>/*]`,
      reason: 'It deletes every object of this bucket, and may do so with no other bucket’s.',
    });

    const removal = new CustomResource(this, 'Removal', {
      resourceType: 'Custom::EmptiedOnRemoval',
      serviceToken: handler.functionArn,
      serviceTimeout: Duration.minutes(16),
      properties: { bucket: bucket.bucketName },
    });
    // Deleted before what it takes to empty the bucket.
    removal.node.addDependency(handler, handler.role!);
  }
}

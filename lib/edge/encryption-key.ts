import { Aws, Stack } from 'aws-cdk-lib';
import { TableEncryption, type TableProps } from 'aws-cdk-lib/aws-dynamodb';
import { ServicePrincipal, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Key, type IKey } from 'aws-cdk-lib/aws-kms';
import { BucketEncryption, type BucketProps } from 'aws-cdk-lib/aws-s3';
import { QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct, IConstruct } from 'constructs';
import { settingsOf } from '../settings.ts';

const keys = new WeakMap<Stack, IKey>();

/** The key of this stack's own for data at rest; without the setting AWS keeps the keys. */
export const provideEncryptionKey = (scope: Construct): void => {
  const { customerManagedKey, dataRemoval } = settingsOf(scope);
  if (!customerManagedKey) return;
  const key = new Key(scope, 'Encryption key', {
    description: 'Task records, executions, logs and environments of this MCP server.',
    enableKeyRotation: true,
    removalPolicy: dataRemoval,
  });
  // CloudWatch Logs has no role of ours to be granted anything, so the key names the service, for this account's logs.
  key.grant(
    new ServicePrincipal(`logs.${Aws.REGION}.amazonaws.com`, {
      conditions: {
        ArnLike: {
          'kms:EncryptionContext:aws:logs:arn': `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:*`,
        },
      },
    }),
    'kms:Encrypt',
    'kms:Decrypt',
    'kms:ReEncrypt*',
    'kms:GenerateDataKey*',
    'kms:Describe*',
  );
  // Nor has EventBridge, which puts what it cannot deliver into our queue.
  key.grant(new ServicePrincipal('events.amazonaws.com'), 'kms:Decrypt', 'kms:GenerateDataKey');
  keys.set(Stack.of(scope), key);
};

/** Undefined where AWS keeps the keys. */
export const encryptionKeyOf = (scope: IConstruct): IKey | undefined => keys.get(Stack.of(scope));

/** For whoever reads or writes what is encrypted with it: the services ask in the caller's name. */
export const useEncryptionKey = (grantee: IGrantable & IConstruct): void => {
  encryptionKeyOf(grantee)?.grant(
    grantee,
    'kms:Decrypt',
    'kms:DescribeKey',
    'kms:Encrypt',
    'kms:GenerateDataKey',
    'kms:ReEncryptFrom',
    'kms:ReEncryptTo',
  );
};

/** How every table is encrypted. */
export const tableEncryption = (scope: IConstruct): Pick<TableProps, 'encryption' | 'encryptionKey'> => {
  const encryptionKey = encryptionKeyOf(scope);
  return encryptionKey
    ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey }
    : { encryption: TableEncryption.AWS_MANAGED };
};

/** How every bucket is. */
export const bucketEncryption = (
  scope: IConstruct,
): Pick<BucketProps, 'encryption' | 'encryptionKey' | 'bucketKeyEnabled'> => {
  const encryptionKey = encryptionKeyOf(scope);
  return encryptionKey
    ? { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }
    : { encryption: BucketEncryption.S3_MANAGED };
};

/** How every queue is. */
export const queueEncryption = (
  scope: IConstruct,
): Pick<QueueProps, 'encryption' | 'encryptionMasterKey'> => {
  const encryptionMasterKey = encryptionKeyOf(scope);
  return encryptionMasterKey
    ? { encryption: QueueEncryption.KMS, encryptionMasterKey }
    : { encryption: QueueEncryption.SQS_MANAGED };
};

import { beforeAll, describe, expect, test } from '@jest/globals';
import { appTemplate, asText, type Resource, type Synthesized } from '../support/template.ts';

// What only AWS runs: here it can only be read.
let app: Synthesized;
beforeAll(() => {
  app = appTemplate();
});

const only = (type: string): [string, Resource] => {
  const found = app.ofType(type);
  expect(found).toHaveLength(1);
  return found[0]!;
};
const reconciler = (): [string, Resource] =>
  app.ofType('AWS::Lambda::Function').find(([id]) => id.startsWith('Reconciler'))!;

describe('the rule', () => {
  test('is for every end of an execution of every task tool, and no other', () => {
    const [, { Properties }] = only('AWS::Events::Rule');
    expect(Properties['State']).toBe('ENABLED');
    expect({
      ...Properties['EventPattern'],
      detail: {
        ...Properties['EventPattern'].detail,
        stateMachineArn: Properties['EventPattern'].detail.stateMachineArn.map(asText).sort(),
      },
    }).toEqual({
      source: ['aws.states'],
      'detail-type': ['Step Functions Execution Status Change'],
      detail: {
        status: ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'],
        stateMachineArn: Object.values(app.stateMachines).sort(),
      },
    });
  });

  test('tries for an hour to reach the reconciler, and then keeps the event', () => {
    const [, { Properties }] = only('AWS::Events::Rule');
    const [queue] = only('AWS::SQS::Queue');
    const [target, ...others] = Properties['Targets'];
    expect(others).toEqual([]);
    expect(asText(target.Arn)).toBe(`\${${reconciler()[0]}.Arn}`);
    expect(target).toMatchObject({
      RetryPolicy: { MaximumEventAgeInSeconds: 3_600, MaximumRetryAttempts: 10 },
      DeadLetterConfig: { Arn: { 'Fn::GetAtt': [queue, 'Arn'] } },
    });
  });
});

test('an event that the reconciler cannot handle is kept too', () => {
  const [queue] = only('AWS::SQS::Queue');
  const [, { Properties }] = only('AWS::Lambda::EventInvokeConfig');
  expect(Properties).toMatchObject({
    FunctionName: { Ref: reconciler()[0] },
    MaximumRetryAttempts: 2,
    MaximumEventAgeInSeconds: 3_600,
    DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [queue, 'Arn'] } } },
  });
});

test('what nobody could handle is kept for two weeks, encrypted', () => {
  const [, { Properties }] = only('AWS::SQS::Queue');
  expect(Properties).toMatchObject({ SqsManagedSseEnabled: true, MessageRetentionPeriod: 14 * 86_400 });
});

test('large results are private, encrypted, only over TLS, and expire later than any task', () => {
  const [bucket, { Properties }] = only('AWS::S3::Bucket');
  expect(Properties).toMatchObject({
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
    },
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
    // The longest task lives for a day and its record an hour longer; S3 expires from the next midnight on.
    LifecycleConfiguration: { Rules: [{ Status: 'Enabled', ExpirationInDays: 3 }] },
  });
  const [, { Properties: policy }] = only('AWS::S3::BucketPolicy');
  expect(policy['Bucket']).toEqual({ Ref: bucket });
  expect(policy['PolicyDocument'].Statement).toEqual([
    expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
  ]);
});

test('records expire by their TTL attribute', () => {
  expect(app.resources[app.taskTable]!.Properties['TimeToLiveSpecification']).toEqual({
    AttributeName: 'expiresAt',
    Enabled: true,
  });
});

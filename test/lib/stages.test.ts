import { describe, expect, test } from '@jest/globals';
import { parseSettings, SettingsError } from '../../lib/settings.ts';
import { synthApp } from '../support/synth.ts';
import type { Resource } from '../support/template.ts';

const settings = (context: Record<string, unknown> = {}) => parseSettings({ auth: 'none', ...context });

describe('a stage gives defaults', () => {
  test('dev is the default: small, talkative, gone when it is destroyed', () => {
    expect(settings()).toMatchObject({
      ...{ stage: 'dev', stackName: 'McpTasks', protectData: false, logRetentionDays: 14 },
      ...{ logLevel: 'DEBUG', memoryMb: 512, provisionedConcurrency: 0, censusMinutes: 0, alarms: false },
    });
  });

  test('prod keeps what it has, and tells when something is wrong', () => {
    expect(settings({ stage: 'prod' })).toMatchObject({
      ...{ stackName: 'McpTasksProd', protectData: true, logRetentionDays: 90, logLevel: 'INFO' },
      ...{ memoryMb: 1_024, censusMinutes: 60, alarms: true },
    });
  });

  test('and each can be said otherwise, in texts too', () => {
    const context = { stage: 'prod', memoryMb: '2048', alarms: 'false', stackName: undefined };
    expect(settings(context)).toMatchObject({ memoryMb: 2_048, alarms: false, stackName: 'McpTasksProd' });
  });

  test.each([
    ['stage', 'staging'],
    ['logRetentionDays', '31'],
    ['logLevel', 'LOUD'],
    ['memoryMb', '100'],
    ['provisionedConcurrency', '-1'],
    ['censusMinutes', 'often'],
    ['alarmTopicArn', 'oncall'],
    ['alarmEmail', 'nobody'],
  ])('%s=%s is refused', (name, value) => {
    expect(() => settings({ [name]: value })).toThrow(SettingsError);
    expect(() => settings({ [name]: value })).toThrow(new RegExp(`^${name}: `));
  });
});

test('two stacks side by side: nothing of either has a name that the other could take', () => {
  const { resources } = synthApp({
    stage: 'prod',
    alarmEmail: 'oncall@example.com',
    provisionedConcurrency: 1,
  });

  for (const [id, { Type, Properties = {} }] of Object.entries(resources)) {
    // These names are within a function, an API, or a role.
    if (['AWS::Lambda::Alias', 'AWS::ApiGateway::Stage', 'AWS::IAM::Policy'].includes(Type)) continue;
    const type = Type.split('::').at(-1);
    const names = [`${type}Name`, 'Name', 'TableName', 'QueueName', 'TopicName', 'LogGroupName', 'AlarmName'];
    // CloudFormation wants a name of an API and of a dashboard; neither has to be unique, or the stack makes it so.
    const given = names.filter((name) => name in Properties && !(Type === 'AWS::ApiGateway::RestApi'));
    expect([id, given]).toEqual([id, []]);
  }
});

test('dev leaves nothing behind: whatever holds data goes with the stack', () => {
  const { resources } = synthApp({});
  const kept = Object.entries(resources).filter(
    ([, { Type, DeletionPolicy }]) =>
      Type !== 'AWS::ApiGateway::Deployment' && DeletionPolicy?.startsWith('Retain'),
  );
  expect(kept.map(([id]) => id)).toEqual([]);
});

describe('the bucket of results', () => {
  const TAG = { Key: 'emptied-on-removal', Value: 'true' };

  test('is emptied when a dev stack goes, before what empties it', () => {
    const { ofType, resources } = synthApp({});
    const [[bucket, { Properties }]] = ofType('AWS::S3::Bucket') as [[string, Resource]];
    expect(Properties['Tags']).toEqual([TAG]);
    const [[, removal]] = ofType('Custom::EmptiedOnRemoval') as [[string, Resource]];
    expect(removal.Properties['bucket']).toEqual({ Ref: bucket });
    const [emptier] = removal.Properties['ServiceToken']['Fn::GetAtt'];
    const policies = Object.entries(resources)
      .filter(([id, { Type }]) => Type === 'AWS::IAM::Policy' && id.startsWith(bucket.slice(0, -8)))
      .map(([id]) => id);
    expect(policies.length).toBeGreaterThan(0);
    expect(removal.DependsOn).toEqual(expect.arrayContaining([emptier, ...policies]));
  });

  // CloudFormation then takes the emptier away, which must find nothing to do: it goes by the tag.
  test.each([{ stage: 'prod' }, { protectData: 'true' }])('is never emptied with %j', (context) => {
    const { ofType } = synthApp(context);
    expect(ofType('Custom::EmptiedOnRemoval')).toEqual([]);
    expect(JSON.stringify(ofType('AWS::S3::Bucket'))).not.toContain(TAG.Key);
  });
});

test('prod keeps every record and every log when the stack goes', () => {
  const { ofType } = synthApp({ stage: 'prod' });
  for (const type of ['AWS::DynamoDB::Table', 'AWS::Logs::LogGroup', 'AWS::S3::Bucket']) {
    for (const [id, { DeletionPolicy }] of ofType(type)) expect([id, DeletionPolicy]).toEqual([id, 'Retain']);
  }
});

describe('an upgrade', () => {
  /** CloudFormation makes a new, empty table if one of these changes: name, key, and types of the key's attributes. */
  const REPLACES = [
    'TableName',
    'KeySchema',
    'AttributeDefinitions',
    'LocalSecondaryIndexes',
    'ImportSourceSpecification',
  ];

  test.each([{}, { stage: 'prod' }, { serverVersion: '9.9.9', streaming: 'false' }])(
    'never replaces the table of tasks (%j): its logical id, and what would, are these',
    (context) => {
      const { resources, taskTable } = synthApp(context);
      expect(taskTable).toBe('Tasks0BA6A452');
      const properties = resources[taskTable]!.Properties;
      expect(Object.fromEntries(REPLACES.map((name) => [name, properties[name]]))).toEqual({
        TableName: undefined,
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        LocalSecondaryIndexes: undefined,
        ImportSourceSpecification: undefined,
      });
    },
  );

  test('keeps each tool’s state machine, whose executions then go on', () => {
    const ids = (context: object): string[] =>
      synthApp({ ...context })
        .ofType('AWS::StepFunctions::StateMachine')
        .map(([id]) => id)
        .sort();
    expect(ids({ stage: 'prod', serverVersion: '9.9.9' })).toEqual(ids({}));
    expect(ids({})).toEqual(['countdownStateMachine03B5572D', 'runmigrationStateMachine1D977982']);
  });
});

test('warm environments are of an alias, which the API calls', () => {
  const warm = synthApp({ provisionedConcurrency: '2' });
  const [[alias, { Properties }]] = warm.ofType('AWS::Lambda::Alias') as [[string, Resource]];
  expect(Properties['ProvisionedConcurrencyConfig']).toEqual({ ProvisionedConcurrentExecutions: 2 });
  const methods = warm
    .ofType('AWS::ApiGateway::Method')
    .map(([, method]) => JSON.stringify(method.Properties['Integration']));
  expect(methods.filter((integration) => integration.includes(alias))).not.toEqual([]);
});

test('log level and metrics’ names reach every Lambda', () => {
  const { ofType } = synthApp({ logLevel: 'WARN' });
  for (const [, { Properties }] of ofType('AWS::Lambda::Function')) {
    if (Properties['Runtime'] !== 'nodejs24.x' || !Properties['Environment']?.Variables.NODE_OPTIONS)
      continue;
    expect(Properties['Environment'].Variables).toMatchObject({
      POWERTOOLS_LOG_LEVEL: 'WARN',
      POWERTOOLS_METRICS_NAMESPACE: 'McpTasks',
      POWERTOOLS_SERVICE_NAME: 'Test',
    });
  }
});

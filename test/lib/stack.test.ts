import { beforeAll, describe, expect, test } from '@jest/globals';
import { tools } from '../../tools/index.ts';
import { synthApp } from '../support/synth.ts';
import { appTemplate, asText, type Resource, type Synthesized } from '../support/template.ts';

let app: Synthesized;
beforeAll(() => {
  app = appTemplate();
});

const postMethod = ({ ofType }: Synthesized): Resource['Properties'] =>
  ofType('AWS::ApiGateway::Method').find(([, { Properties }]) => Properties['HttpMethod'] === 'POST')![1]
    .Properties;

const taskTools = Object.entries(tools).flatMap(([name, tool]) =>
  tool.kind === 'task' ? [{ name, tool }] : [],
);

describe('the table of task records', () => {
  test('is found by one key, pays per request, expires its items and can be restored', () => {
    expect(app.resources[app.taskTable]?.Properties).toMatchObject({
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { SSEEnabled: true },
    });
  });

  test('has no index: a task is found by its tenant and id together, or not at all', () => {
    expect(app.resources[app.taskTable]?.Properties).not.toHaveProperty('GlobalSecondaryIndexes');
    expect(app.resources[app.taskTable]?.Properties).not.toHaveProperty('LocalSecondaryIndexes');
  });
});

describe.each([
  [false, 'Delete'],
  [true, 'Retain'],
])('with protectData=%j', (protectData, policy) => {
  test('every table and every log goes or stays accordingly', () => {
    const { ofType } = protectData ? synthApp({ protectData: 'true' }) : app;
    const kept = [...ofType('AWS::DynamoDB::Table'), ...ofType('AWS::Logs::LogGroup')];

    expect(kept.length).toBeGreaterThan(2);
    for (const [, { DeletionPolicy, UpdateReplacePolicy }] of kept) {
      expect([DeletionPolicy, UpdateReplacePolicy]).toEqual([policy, policy]);
    }
    for (const [, { Properties }] of ofType('AWS::DynamoDB::Table')) {
      expect(Properties['DeletionProtectionEnabled']).toBe(protectData);
    }
  });
});

describe('the API', () => {
  test('is regional', () => {
    const [[, { Properties }]] = app.ofType('AWS::ApiGateway::RestApi') as [[string, Resource]];

    expect(Properties['EndpointConfiguration']).toEqual({ Types: ['REGIONAL'] });
  });

  test('has one resource, /mcp, which takes POST', () => {
    const methods = app
      .ofType('AWS::ApiGateway::Method')
      .filter(([, { Properties }]) => Properties['Integration'].Type !== 'MOCK');
    const resources = Object.fromEntries(app.ofType('AWS::ApiGateway::Resource'));

    expect(methods).toHaveLength(1);
    const { HttpMethod, ResourceId } = methods[0]![1].Properties;
    expect(HttpMethod).toBe('POST');
    expect(resources[ResourceId.Ref]?.Properties['PathPart']).toBe('mcp');
  });

  test('answers every other method with 405 itself', () => {
    const [any] = app
      .ofType('AWS::ApiGateway::Method')
      .filter(([, { Properties }]) => Properties['HttpMethod'] === 'ANY');

    expect(any![1].Properties['Integration']).toMatchObject({
      Type: 'MOCK',
      IntegrationResponses: [{ StatusCode: '405' }],
    });
  });

  test('hands the request to the endpoint as it is', () => {
    expect(postMethod(app)['Integration'].Type).toBe('AWS_PROXY');
  });

  test('is traced, and never logs what is said', () => {
    const [[, { Properties }]] = app.ofType('AWS::ApiGateway::Stage') as [[string, Resource]];

    expect(Properties['TracingEnabled']).toBe(true);
    for (const settings of Properties['MethodSettings']) expect(settings.DataTraceEnabled).toBe(false);
  });

  test('the stack tells where clients connect', () => {
    expect(asText(app.outputs['McpUrl']?.Value)).toMatch(/^https:\/\/.*\/mcp$/);
  });
});

describe('every Lambda', () => {
  test('runs on Node.js 24 and ARM, is traced, and logs into a group of its own', () => {
    const functions = app.ofType('AWS::Lambda::Function');
    const groups = functions.map(([, { Properties }]) => asText(Properties['LoggingConfig'].LogGroup));

    expect(functions.length).toBeGreaterThan(1);
    for (const [, { Properties }] of functions) {
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        TracingConfig: { Mode: 'Active' },
      });
    }
    expect(new Set(groups).size).toBe(functions.length);
  });
});

test('every log is kept for a time and not for ever', () => {
  const { length } = app.ofType('AWS::Lambda::Function');
  const groups = app.ofType('AWS::Logs::LogGroup');

  expect(groups.length).toBeGreaterThanOrEqual(length + taskTools.length);
  for (const [, { Properties }] of groups) expect(Properties['RetentionInDays']).toBe(14);
});

describe('the endpoint', () => {
  test('knows the server’s name, the table, and the state machine of each task tool', () => {
    const { Variables } = app.endpoint[1].Properties['Environment'];

    expect(Variables).toMatchObject({
      SERVER_NAME: 'serverless-mcp-tasks',
      TASK_TABLE: { Ref: app.taskTable },
    });
    expect(Object.keys(app.stateMachines).sort()).toEqual(taskTools.map(({ name }) => name).sort());
  });

  test('streams: API and Lambda both wait for longer than a listen stream lasts', () => {
    const { Integration } = postMethod(app);
    const { Timeout, Environment } = app.endpoint[1].Properties;
    const seconds = Number(Environment.Variables.LISTEN_SECONDS_PER_STREAM);

    expect(Environment.Variables.STREAMING).toBe('on');
    expect(Integration.ResponseTransferMode).toBe('STREAM');
    expect(asText(Integration.Uri)).toContain('/response-streaming-invocations');
    expect(Timeout).toBeGreaterThan(seconds);
    expect(Timeout).toBeLessThanOrEqual(900);
    expect(Integration.TimeoutInMillis).toBeGreaterThan(seconds * 1_000);
    expect(Integration.TimeoutInMillis).toBeLessThanOrEqual(900_000);
  });

  test('without streaming a request ends before the API cuts it, and nobody can listen', () => {
    const buffered = synthApp({ streaming: 'false' });
    const { Timeout, Environment } = buffered.endpoint[1].Properties;

    expect(Timeout).toBeLessThanOrEqual(29);
    expect(Environment.Variables.STREAMING).toBe('off');
    expect(postMethod(buffered)['Integration']).not.toHaveProperty('ResponseTransferMode');
    expect(postMethod(buffered)['Integration']).not.toHaveProperty('TimeoutInMillis');
  });
});

describe('the state machines', () => {
  test('are one per task tool', () => {
    const ids = app.ofType('AWS::StepFunctions::StateMachine').map(([id]) => id);

    expect(Object.keys(app.stateMachines).map(app.stateMachineOf).sort()).toEqual(ids.sort());
  });

  test.each(taskTools)(
    '$name: STANDARD, traced, logged without data, over when the task is',
    ({ name, tool }) => {
      const { Properties } = app.resources[app.stateMachineOf(name)]!;

      expect(Properties).toMatchObject({
        StateMachineType: 'STANDARD',
        TracingConfiguration: { Enabled: true },
        LoggingConfiguration: { IncludeExecutionData: false, Level: 'ALL' },
      });
      expect(app.definition(name).TimeoutSeconds).toBe(tool.ttlMs! / 1000);
    },
  );
});

test('nothing has a physical name, so that the stack can be deployed twice', () => {
  const names: Record<string, string> = {
    'AWS::DynamoDB::Table': 'TableName',
    'AWS::Lambda::Function': 'FunctionName',
    'AWS::StepFunctions::StateMachine': 'StateMachineName',
    'AWS::IAM::Role': 'RoleName',
    'AWS::Logs::LogGroup': 'LogGroupName',
    'AWS::S3::Bucket': 'BucketName',
  };

  for (const { Type, Properties } of Object.values(app.resources)) {
    if (Type in names) expect(Properties).not.toHaveProperty(names[Type]!);
  }
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import { isUnscoped, policiesOf, type Statement } from '../support/policies.ts';
import { synthApp } from '../support/synth.ts';
import { appTemplate, asText, statesOf, type Synthesized } from '../support/template.ts';

let app: Synthesized;
let statements: Statement[];
let grants: (logicalId: string) => [string, string][];

beforeAll(() => {
  app = appTemplate();
  ({ statements, grants } = policiesOf(app));
});

test('no statement has a wildcard action, and none a wildcard resource except where AWS has no other', () => {
  expect(statements.length).toBeGreaterThan(5);
  for (const { actions, resources } of statements) {
    expect(actions.filter((action) => action.includes('*'))).toEqual([]);
    if (!resources.includes('*')) continue;
    expect(actions.filter((action) => !isUnscoped(action))).toEqual([]);
  }
});

test('no role has a policy that AWS wrote, or one of another kind', () => {
  for (const [, { Properties }] of app.ofType('AWS::IAM::Role')) {
    expect(Properties).not.toHaveProperty('Policies');
    expect(Properties).not.toHaveProperty('ManagedPolicyArns');
  }
});

test('each role can be taken by one service only', () => {
  for (const [, { Properties }] of app.ofType('AWS::IAM::Role')) {
    const [statement, ...others] = Properties['AssumeRolePolicyDocument'].Statement;
    expect(others).toEqual([]);
    expect(statement.Principal.Service).toMatch(/^(lambda|states)\.amazonaws\.com$/);
  }
});

describe('the endpoint', () => {
  test('reads, creates and changes task records, reads large results, and starts, sees, answers and stops these workflows; no more', () => {
    const machines = Object.values(app.stateMachines);
    const execution = (machine: string): string =>
      `arn:\${AWS::Partition}:states:\${AWS::Region}:\${AWS::AccountId}:execution:${machine}[6]:*`;

    expect(grants(app.endpoint[0])).toEqual(
      [
        ...['GetItem', 'PutItem', 'UpdateItem'].map((action) => [
          `dynamodb:${action}`,
          `\${${app.taskTable}.Arn}`,
        ]),
        ...machines.map((machine) => ['states:StartExecution', machine]),
        ...machines.map((machine) => ['states:SendTaskSuccess', machine]),
        ...machines.map((machine) => ['states:SendTaskFailure', machine]),
        ...machines.map((machine) => ['states:DescribeExecution', execution(machine)]),
        ...machines.map((machine) => ['states:StopExecution', execution(machine)]),
        ['s3:GetObject', `\${${app.ofType('AWS::S3::Bucket')[0]![0]}.Arn}/*`],
      ].sort(),
    );
  });

  test('may be called by the API, for POST /mcp', () => {
    const permissions = app.ofType('AWS::Lambda::Permission').filter(([id]) => id.startsWith('Api'));

    expect(permissions).toHaveLength(1);
    const { Action, Principal, SourceArn } = permissions[0]![1].Properties;
    expect([Action, Principal]).toEqual(['lambda:InvokeFunction', 'apigateway.amazonaws.com']);
    expect(asText(SourceArn)).toMatch(/\/POST\/mcp$/);
  });
});

describe('a state machine', () => {
  test.each(['run_migration', 'countdown'])(
    '%s: changes task records, calls its own steps; no more',
    (tool) => {
      const invoked = statesOf(app.definition(tool))
        .map(([, { Resource: resource }]) => String(resource))
        .filter((resource) => /^\$\{.*\.Arn\}$/.test(resource));
      const granted = grants(app.stateMachineOf(tool));

      expect(granted.filter(([action]) => !action.startsWith('lambda:'))).toEqual([
        ['dynamodb:UpdateItem', `\${${app.taskTable}.Arn}`],
      ]);
      const functions = granted.filter(([action]) => action.startsWith('lambda:'));
      expect(new Set(functions.map(([action]) => action))).toEqual(
        new Set(invoked.length > 0 ? ['lambda:InvokeFunction'] : []),
      );
      expect(new Set(functions.map(([, resource]) => resource.replace(/:\*$/, '')))).toEqual(
        new Set(invoked),
      );
    },
  );
});

test('a step touches the table of its tool, and no task record [ELICIT-6]', () => {
  const steps = app
    .ofType('AWS::Lambda::Function')
    .map(([id]) => id)
    .filter((id) => id.startsWith('runmigration'));

  expect(steps).toHaveLength(2);
  for (const step of steps) {
    const tables = grants(step).map(([, resource]) => resource);
    expect(new Set(tables).size).toBe(1);
    expect(tables[0]).toMatch(/^\$\{runmigrationRecords\w+\.Arn\}$/);
  }
  expect(grants(steps.find((id) => id.includes('Plan'))!).map(([action]) => action)).toEqual([
    'dynamodb:Scan',
  ]);
});

test('what empties the bucket of results on removal may do that, and nothing to any other', () => {
  const [bucket] = app.ofType('AWS::S3::Bucket')[0]!;
  const [emptier] = app.ofType('AWS::Lambda::Function').find(([id]) => id.includes('Emptied'))!;

  expect(grants(emptier)).toEqual([
    ['s3:DeleteObject', `\${${bucket}.Arn}/*`],
    ['s3:GetBucketTagging', `\${${bucket}.Arn}`],
    ['s3:ListBucket', `\${${bucket}.Arn}`],
  ]);
});

describe.each([
  { auth: 'cognito' },
  { auth: 'jwt', jwtIssuer: 'https://issuer.example', jwtAudience: 'a', jwtScopes: 's' },
  { auth: 'iam' },
  { auth: 'cognito', startTasks: 'queued' },
  { auth: 'cognito', accessLogs: 'true', firewall: 'true', allowedOrigins: 'https://app.example' },
])('with %j', (settings) => {
  test('every statement is as narrow', () => {
    for (const { actions, resources } of policiesOf(synthApp(settings)).statements) {
      expect(actions.filter((action) => action.includes('*'))).toEqual([]);
      if (resources.includes('*')) expect(actions.filter((action) => !isUnscoped(action))).toEqual([]);
    }
  });

  test('what checks tokens may do nothing else, and only the API may call it', () => {
    const mode = synthApp(settings);
    const authorizers = mode
      .ofType('AWS::Lambda::Function')
      .filter(([id]) => id.startsWith('AuthenticationAuthorizer'));

    expect(authorizers).toHaveLength(settings.auth === 'iam' ? 0 : 1);
    for (const [id] of authorizers) {
      expect(policiesOf(mode).grants(id)).toEqual([]);
      const permissions = mode
        .ofType('AWS::Lambda::Permission')
        .filter(([, { Properties }]) => asText(Properties['FunctionName']) === `\${${id}.Arn}`);
      expect(permissions).toHaveLength(1);
      const { Principal, SourceArn } = permissions[0]![1].Properties;
      expect(Principal).toBe('apigateway.amazonaws.com');
      expect(asText(SourceArn)).toMatch(/\/authorizers\/\$\{Authentication\w+\}$/);
    }
  });
});

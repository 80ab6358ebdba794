import { beforeAll, describe, expect, test } from '@jest/globals';
import { appTemplate, asText, statesOf, type Resource, type Synthesized } from '../support/template.ts';

/** Actions that AWS lets nobody scope to a resource. */
const UNSCOPED = [
  /^xray:(Put|Get)/,
  /^logs:(Create|Get|Update|Delete|List)LogDeliver(y|ies)$/,
  /^logs:(Put|Describe)ResourcePolic(y|ies)$/,
  /^logs:DescribeLogGroups$/,
];

interface Statement {
  actions: string[];
  resources: string[];
}
const list = <Value>(value: Value | Value[]): Value[] => (Array.isArray(value) ? value : [value]);

let app: Synthesized;
let byRole: Map<string, Statement[]>;
const policies = (): [string, Resource][] => [
  ...app.ofType('AWS::IAM::Policy'),
  ...app.ofType('AWS::IAM::ManagedPolicy'),
];

beforeAll(() => {
  app = appTemplate();
  byRole = new Map();
  for (const [, { Properties }] of policies()) {
    const statements = Properties['PolicyDocument'].Statement.map(
      ({ Action, Resource: resource, Effect }: Record<string, unknown>) => ({
        actions: Effect === 'Allow' ? list(Action) : [],
        resources: list(resource).map(asText),
      }),
    );
    for (const { Ref } of Properties['Roles']) byRole.set(Ref, [...(byRole.get(Ref) ?? []), ...statements]);
  }
});

const roleOf = (logicalId: string): string => {
  const { Role, RoleArn } = app.resources[logicalId]!.Properties;
  return (Role ?? RoleArn)['Fn::GetAtt'][0];
};
/** What a role may do to what, leaving out what cannot be scoped. */
const grants = (logicalId: string): [string, string][] =>
  byRole
    .get(roleOf(logicalId))!
    .flatMap(({ actions, resources }) =>
      actions.flatMap((action) => resources.map((resource) => [action, resource] as [string, string])),
    )
    .filter(([action]) => !UNSCOPED.some((pattern) => pattern.test(action)))
    .sort();

test('no statement has a wildcard action, and none a wildcard resource except where AWS has no other', () => {
  const statements = [...byRole.values()].flat();

  expect(statements.length).toBeGreaterThan(5);
  for (const { actions, resources } of statements) {
    expect(actions.filter((action) => action.includes('*'))).toEqual([]);
    if (!resources.includes('*')) continue;
    expect(actions.filter((action) => !UNSCOPED.some((pattern) => pattern.test(action)))).toEqual([]);
  }
});

test('the only policy of AWS in use lets a Lambda write its logs; no role has a policy of another kind', () => {
  for (const [, { Properties }] of app.ofType('AWS::IAM::Role')) {
    expect(Properties).not.toHaveProperty('Policies');
    for (const arn of Properties['ManagedPolicyArns'] ?? []) {
      expect(asText(arn)).toMatch(/:iam::aws:policy\/service-role\/AWSLambdaBasicExecutionRole$/);
    }
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

import { asText, type Synthesized } from './template.ts';

/** Actions that AWS lets nobody scope to a resource. */
const UNSCOPED = [
  /^xray:(Put|Get)/,
  /^logs:(Create|Get|Update|Delete|List)LogDeliver(y|ies)$/,
  /^logs:(Put|Describe)ResourcePolic(y|ies)$/,
  /^logs:DescribeLogGroups$/,
  /^dynamodb:ListStreams$/,
];
export const isUnscoped = (action: string): boolean => UNSCOPED.some((pattern) => pattern.test(action));

export interface Statement {
  actions: string[];
  resources: string[];
}
const list = <Value>(value: Value | Value[]): Value[] => (Array.isArray(value) ? value : [value]);

/** Every statement of every policy of a template, by the role that has it. */
export const policiesOf = (app: Synthesized) => {
  const byRole = new Map<string, Statement[]>();
  for (const [, { Properties }] of [
    ...app.ofType('AWS::IAM::Policy'),
    ...app.ofType('AWS::IAM::ManagedPolicy'),
  ]) {
    const statements = Properties['PolicyDocument'].Statement.map(
      ({ Action, Resource: resource, Effect }: Record<string, unknown>) => ({
        actions: Effect === 'Allow' ? list(Action) : [],
        resources: list(resource).map(asText),
      }),
    );
    for (const { Ref } of Properties['Roles']) byRole.set(Ref, [...(byRole.get(Ref) ?? []), ...statements]);
  }

  const roleOf = (logicalId: string): string => {
    const { Role, RoleArn } = app.resources[logicalId]!.Properties;
    return (Role ?? RoleArn)['Fn::GetAtt'][0];
  };
  const isOwnLog = (logicalId: string, action: string, resource: string): boolean => {
    const { LogGroup: group } = app.resources[logicalId]!.Properties['LoggingConfig'] ?? {};
    return (
      ['logs:CreateLogStream', 'logs:PutLogEvents'].includes(action) && resource === `\${${group?.Ref}.Arn}`
    );
  };
  return {
    statements: [...byRole.values()].flat(),
    /** What a function or state machine may do to what, leaving out what cannot be scoped and its own log. */
    grants: (logicalId: string): [string, string][] =>
      (byRole.get(roleOf(logicalId)) ?? [])
        .flatMap(({ actions, resources }) =>
          actions.flatMap((action) => resources.map((resource) => [action, resource] as [string, string])),
        )
        .filter(([action, resource]) => !isUnscoped(action) && !isOwnLog(logicalId, action, resource))
        .sort(),
  };
};

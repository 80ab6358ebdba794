/** What a Lambda authorizer returns. */
export interface AuthorizerOutput {
  principalId: string;
  policyDocument: { Statement: Statement[] };
  context?: Record<string, string | number | boolean>;
}

interface Statement {
  Effect: 'Allow' | 'Deny';
  Action: string | string[];
  Resource: string | string[];
}

/** Undefined for what API Gateway would not take for a policy. */
export const parseOutput = (payload: string): AuthorizerOutput | undefined => {
  const output = JSON.parse(payload) as AuthorizerOutput | null;
  const isPolicy = Array.isArray(output?.policyDocument?.Statement);
  const isFlat = Object.values(output?.context ?? {}).every((value) => typeof value !== 'object');
  return output && typeof output.principalId === 'string' && isPolicy && isFlat ? output : undefined;
};

/** As IAM decides: one Deny outweighs every Allow, and without an Allow it is no. */
export const allows = ({ policyDocument: { Statement } }: AuthorizerOutput, methodArn: string): boolean => {
  const effects = Statement.filter(
    ({ Action, Resource }) =>
      [Action].flat().some((action) => matches(action, 'execute-api:Invoke')) &&
      [Resource].flat().some((resource) => matches(resource, methodArn)),
  ).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
};

const matches = (pattern: string, text: string): boolean => {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`, 's').test(text);
};

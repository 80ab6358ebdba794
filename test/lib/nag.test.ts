import { expect, test } from '@jest/globals';
import { AwsSolutionsChecks } from 'cdk-nag';
import { stackOf } from '../support/synth.ts';

const JWT = { auth: 'jwt', jwtIssuer: 'https://issuer.example', jwtAudience: 'a', jwtScopes: 's' };

/** Rules that a stack breaks without saying why. What is acknowledged has its reason next to its construct. */
const findings = (settings: Record<string, unknown>): string[] => {
  const stack = stackOf(settings);
  const { violations } = new AwsSolutionsChecks(stack.node.root).validateScope(stack);
  return violations.flatMap(({ ruleName, violatingResources }) =>
    violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`),
  );
};

test.each([
  { auth: 'cognito' },
  JWT,
  { auth: 'iam' },
  { auth: 'none' },
  { auth: 'none', startTasks: 'queued' },
  { auth: 'none', startTasks: 'queued', customerManagedKey: true },
  {
    auth: 'cognito',
    allowedOrigins: 'https://app.example',
    accessLogs: true,
    customerManagedKey: true,
    firewall: true,
  },
  {
    ...JWT,
    domainName: 'mcp.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/x',
    streaming: false,
  },
])('AwsSolutions finds nothing unexplained with %j', (settings) => {
  expect(findings(settings)).toEqual([]);
});

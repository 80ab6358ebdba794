import { awsRequest } from '../../scripts/aws-request.ts';
import { outputOf, type StackOutputs } from '../../scripts/stack-outputs.ts';

const output = (outputs: StackOutputs, word: string): string | undefined =>
  Object.entries(outputs).find(([key]) => key.includes(word))?.[1];

/**
 * An access token by client credentials, from the stack's own user pool.
 * @returns undefined if the stack has none: then it is open, or its tokens come from an issuer of yours, and
 *   MCP_TOKEN holds one.
 */
export const machineToken = async (outputs: StackOutputs): Promise<string | undefined> => {
  const given = process.env['MCP_TOKEN'];
  const tokenUrl = process.env['MCP_TOKEN_URL'] ?? output(outputs, 'TokenUrl');
  if (given !== undefined || tokenUrl === undefined) return given;

  const [pool, client] = [outputOfAuth(outputs, 'UserPoolId'), outputOfAuth(outputs, 'MachineClientId')];
  const described = await awsRequest({
    service: 'cognito-idp',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSCognitoIdentityProviderService.DescribeUserPoolClient',
    },
    body: JSON.stringify({ UserPoolId: pool, ClientId: client }),
  });
  const { UserPoolClient } = JSON.parse(described) as { UserPoolClient: { ClientSecret: string } };
  const response = await fetch(tokenUrl, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${client}:${UserPoolClient.ClientSecret}`).toString('base64')}`,
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      resource: outputOf(outputs, 'McpUrl'),
    }),
  });
  if (!response.ok) throw new Error(`${tokenUrl} answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
};

const outputOfAuth = (outputs: StackOutputs, word: string): string => {
  const value = output(outputs, word);
  if (value === undefined) throw new Error(`The stack has a TokenUrl but no ${word}`);
  return value;
};

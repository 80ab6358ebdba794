import { awsRequest } from '../../scripts/aws-request.ts';
import { outputOf, type StackOutputs } from '../../scripts/stack-outputs.ts';
import { reach } from './reach.ts';

/** Whether the stack has a user pool. Otherwise it is open, or its tokens come from an issuer of yours. */
export const hasUserPool = (outputs: StackOutputs): boolean =>
  Object.keys(outputs).some((name) => name.startsWith('AuthenticationUserPoolId'));

/** An access token by client credentials, from the stack's own user pool: of its client for machines, or another. */
export const machineToken = async (
  outputs: StackOutputs,
  client = outputOf(outputs, 'AuthenticationMachineClientId'),
): Promise<string> => {
  const { UserPoolClient } = await userPools<{ UserPoolClient: { ClientSecret: string } }>(
    'DescribeUserPoolClient',
    { UserPoolId: outputOf(outputs, 'AuthenticationUserPoolId'), ClientId: client },
  );
  const tokenUrl = reach(outputOf(outputs, 'AuthenticationTokenUrl'));
  const response = await fetch(tokenUrl, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${client}:${UserPoolClient.ClientSecret}`).toString('base64')}`,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  if (!response.ok) throw new Error(`${tokenUrl} answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
};

/** One more client for machines, as `aws cognito-idp create-user-pool-client` makes one. @returns its id */
export const addMachineClient = async (outputs: StackOutputs, name: string): Promise<string> => {
  const { UserPoolClient } = await userPools<{ UserPoolClient: { ClientId: string } }>(
    'CreateUserPoolClient',
    {
      UserPoolId: outputOf(outputs, 'AuthenticationUserPoolId'),
      ClientName: name,
      GenerateSecret: true,
      AllowedOAuthFlows: ['client_credentials'],
      AllowedOAuthScopes: ['mcp/tools'],
      AllowedOAuthFlowsUserPoolClient: true,
    },
  );
  return UserPoolClient.ClientId;
};

const userPools = async <Answer>(operation: string, request: object): Promise<Answer> =>
  JSON.parse(
    await awsRequest({
      service: 'cognito-idp',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
      },
      body: JSON.stringify(request),
    }),
  ) as Answer;

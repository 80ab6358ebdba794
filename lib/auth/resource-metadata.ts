import { Validations } from 'aws-cdk-lib';
import {
  AuthorizationType,
  MockIntegration,
  PassthroughBehavior,
  type IResource,
} from 'aws-cdk-lib/aws-apigateway';
import { settingsOf } from '../settings.ts';
import type { ProtectedApi } from './authentication.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/**
 * OAuth 2.0 Protected Resource Metadata (RFC 9728), without a Lambda: whose tokens this server takes, and for what.
 * On a domain of its own the second path is where the RFC puts it. Below a stage nothing can be at the root of the
 * host, so there clients find it by the URL in the challenge.
 * @returns that URL
 */
export const publishMetadata = (
  { restApi, baseUrl, mcpUrl }: ProtectedApi,
  { issuer, scopes }: { issuer: string; scopes: string[] },
): string => {
  const metadata = JSON.stringify({
    resource: mcpUrl,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: settingsOf(restApi).serverName,
  });
  const forAny = restApi.root.resourceForPath(WELL_KNOWN);
  for (const resource of [forAny, forAny.addResource('mcp')]) serve(resource, metadata);
  return `${baseUrl}${WELL_KNOWN}/mcp`;
};

const HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'max-age=300',
  'Access-Control-Allow-Origin': '*',
};

const serve = (resource: IResource, body: string): void => {
  const named = (value: (name: keyof typeof HEADERS) => string | boolean) =>
    Object.fromEntries(
      (Object.keys(HEADERS) as (keyof typeof HEADERS)[]).map((name) => [
        `method.response.header.${name}`,
        value(name),
      ]),
    );
  const method = resource.addMethod(
    'GET',
    new MockIntegration({
      passthroughBehavior: PassthroughBehavior.WHEN_NO_MATCH,
      requestTemplates: { 'application/json': '{ "statusCode": 200 }' },
      integrationResponses: [
        {
          statusCode: '200',
          responseParameters: named((name) => `'${HEADERS[name]}'`) as Record<string, string>,
          responseTemplates: { 'application/json': body },
        },
      ],
    }),
    {
      authorizationType: AuthorizationType.NONE,
      methodResponses: [
        { statusCode: '200', responseParameters: named(() => true) as Record<string, boolean> },
      ],
    },
  );
  // Clients say which revision they speak, and a page has to ask whether it may.
  resource.addCorsPreflight({
    allowOrigins: ['*'],
    allowMethods: ['GET'],
    allowHeaders: ['MCP-Protocol-Version'],
  });
  Validations.of(method).acknowledge(
    { id: 'AwsSolutions-APIG4', reason: 'Tells callers without a token how to get one: RFC 9728.' },
    { id: 'AwsSolutions-COG4', reason: 'Tells callers without a token how to get one: RFC 9728.' },
  );
};

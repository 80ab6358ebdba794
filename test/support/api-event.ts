import type { APIGatewayProxyEvent } from 'aws-lambda';

/** What a REST API hands to the endpoint: payload version 1.0, with the stage in the context's path. */
export const apiEvent = (
  headers: Record<string, string>,
  body: string | null,
  over: Partial<APIGatewayProxyEvent> = {},
): APIGatewayProxyEvent => ({
  resource: '/mcp',
  path: '/mcp',
  httpMethod: 'POST',
  headers,
  multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
  queryStringParameters: null,
  multiValueQueryStringParameters: null,
  pathParameters: null,
  stageVariables: null,
  requestContext: {
    domainName: 'abc123.execute-api.eu-central-1.amazonaws.com',
    path: '/prod/mcp',
    stage: 'prod',
  } as APIGatewayProxyEvent['requestContext'],
  body,
  isBase64Encoded: false,
  ...over,
});

import { ResponseType, type Resource, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Duration } from 'aws-cdk-lib';
import { settingsOf } from '../settings.ts';

/** What an MCP client sends (basic/transports/streamable-http). */
const REQUEST_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
];

/**
 * Lets the listed pages call: the preflight, which browsers send without a token, and the API's own errors. What the
 * endpoint answers carries the header already; it is also where a page that is not listed gets its 403.
 */
export const letPagesCall = (restApi: RestApi, mcp: Resource): void => {
  const { allowedOrigins } = settingsOf(restApi);
  if (allowedOrigins.length === 0) return;
  mcp.addCorsPreflight({
    allowOrigins: allowedOrigins,
    allowMethods: ['POST'],
    allowHeaders: REQUEST_HEADERS,
    maxAge: Duration.hours(1),
  });
  for (const type of [ResponseType.DEFAULT_4XX, ResponseType.DEFAULT_5XX]) {
    restApi.addGatewayResponse(`Readable ${type.responseType}`, {
      type,
      // There is nothing in them that is meant for one page only.
      responseHeaders: { 'Access-Control-Allow-Origin': `'*'` },
    });
  }
};

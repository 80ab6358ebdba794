import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { McpFetch } from '../protocol/mcp-fetch.ts';
import { correlate } from './correlate.ts';
import { headersFor, serve } from './http.ts';

/** The endpoint behind an API that waits for the whole response. */
export const buffered =
  (fetch: McpFetch, log: Logger) =>
  async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    correlate(log, event, context);
    const response = await serve(fetch, event);
    return {
      statusCode: response.status,
      headers: headersFor(response),
      body: await response.text(),
    };
  };

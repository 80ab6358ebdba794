import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { McpFetch } from '../protocol/mcp-fetch.ts';
import type { Front } from './admit.ts';
import { correlate } from './correlate.ts';
import { headersFor, serve } from './http.ts';

/** The endpoint behind an API that waits for the whole response. */
export const buffered =
  (fetch: McpFetch, log: Logger, front?: Front) =>
  async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    correlate(log, event, context);
    const response = front?.admit(event) ?? (await serve(fetch, event, { authInfo: front?.callerOf(event) }));
    return {
      statusCode: response.status,
      headers: headersFor(response),
      body: await response.text(),
    };
  };

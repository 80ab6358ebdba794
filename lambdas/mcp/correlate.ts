import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

const header = ({ headers }: APIGatewayProxyEvent, wanted: string): string | undefined =>
  Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === wanted)?.[1];

/**
 * From here on every line of the log says which request it belongs to: API Gateway's id (the caller sees it as
 * `x-amzn-RequestId`), Lambda's, and what the request says it is about. The task itself joins when it is found.
 */
export const correlate = (log: Logger, event: APIGatewayProxyEvent, context: Context): void => {
  log.resetKeys();
  log.addContext(context);
  log.setCorrelationId(event.requestContext?.requestId);
  log.appendKeys({ method: header(event, 'mcp-method'), name: header(event, 'mcp-name') });
};

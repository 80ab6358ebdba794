import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Call, McpFetch } from '../protocol/mcp-fetch.ts';

/** API Gateway keeps repeated headers apart; a Request joins them as HTTP does. */
const headersOf = ({ multiValueHeaders, headers }: APIGatewayProxyEvent): Headers => {
  const result = new Headers();
  for (const [name, values] of Object.entries(multiValueHeaders ?? {})) {
    for (const value of values ?? []) result.append(name, value);
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value !== undefined && !result.has(name)) result.set(name, value);
  }
  return result;
};

const bodyOf = ({ body, isBase64Encoded, httpMethod }: APIGatewayProxyEvent): Buffer | string | undefined => {
  if (httpMethod === 'GET' || httpMethod === 'HEAD') return undefined;
  return isBase64Encoded ? Buffer.from(body ?? '', 'base64') : (body ?? '');
};

/**
 * A REST API proxy event (payload version 1.0) as a web Request.
 * @throws TypeError if it cannot be one: a header value has characters that HTTP does not allow
 */
export const toRequest = (event: APIGatewayProxyEvent): Request =>
  new Request(`https://${event.requestContext.domainName ?? 'localhost'}${event.requestContext.path}`, {
    method: event.httpMethod,
    headers: headersOf(event),
    body: bodyOf(event),
  });

const BAD_REQUEST = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'Bad Request: a header has characters that HTTP does not allow.' },
};

/** Serves an event by a function from request to response. */
export const serve = async (fetch: McpFetch, event: APIGatewayProxyEvent, call?: Call): Promise<Response> => {
  let request: Request;
  try {
    request = toRequest(event);
  } catch {
    return Response.json(BAD_REQUEST, { status: 400 });
  }
  return fetch(request, call);
};

/** `Connection` is between the SDK and its neighbour; API Gateway would pass it on under another name. */
export const headersFor = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name !== 'connection'));

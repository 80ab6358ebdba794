import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Call, McpFetch } from '../protocol/mcp-fetch.ts';

/** A header holds bytes; API Gateway gives them as the text that they spell in UTF-8. */
const asBytes = (value: string): string => Buffer.from(value).toString('latin1');

/** API Gateway keeps repeated headers apart; a Request joins them as HTTP does. */
const headersOf = ({ multiValueHeaders, headers }: APIGatewayProxyEvent): Headers => {
  const result = new Headers();
  for (const [name, values] of Object.entries(multiValueHeaders ?? {})) {
    for (const value of values ?? []) result.append(name, asBytes(value));
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value !== undefined && !result.has(name)) result.set(name, asBytes(value));
  }
  // The API has verified the caller. No tool needs the token, and so none gets it to pass on.
  result.delete('authorization');
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

const badRequest = (reason: string): Response =>
  Response.json(
    { jsonrpc: '2.0', id: null, error: { code: -32600, message: `Bad Request: ${reason}` } },
    { status: 400 },
  );

/** Serves an event by a function from request to response; what can be no MCP message is refused before. */
export const serve = async (fetch: McpFetch, event: APIGatewayProxyEvent, call?: Call): Promise<Response> => {
  let request: Request;
  try {
    request = toRequest(event);
  } catch {
    return badRequest('a header has characters that HTTP does not allow.');
  }
  // The SDK still takes the batches of revision 2025-03-26; those after it have done away with them.
  if (/^\s*\[/.test(bodyOf(event)?.toString() ?? ''))
    return badRequest('one message at a time, not an array.');
  return fetch(request, call);
};

/** `Connection` is between the SDK and its neighbour; API Gateway would pass it on under another name. */
export const headersFor = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name !== 'connection'));

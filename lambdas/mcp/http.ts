import type { APIGatewayProxyEvent } from 'aws-lambda';

/** API Gateway keeps repeated headers apart; a Request joins them as HTTP does. */
const headersOf = ({ multiValueHeaders, headers }: APIGatewayProxyEvent): Headers => {
  const result = new Headers();
  for (const [name, values] of Object.entries(multiValueHeaders ?? {})) {
    for (const value of values ?? []) result.append(name, value);
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value !== undefined && !result.has(name)) result.set(name, value);
  }
  // The API has verified the caller. No tool needs the token, and so none gets it to pass on.
  result.delete('authorization');
  return result;
};

const bodyOf = ({ body, isBase64Encoded, httpMethod }: APIGatewayProxyEvent): Buffer | string | undefined => {
  if (httpMethod === 'GET' || httpMethod === 'HEAD') return undefined;
  return isBase64Encoded ? Buffer.from(body ?? '', 'base64') : (body ?? '');
};

/** A REST API proxy event (payload version 1.0) as a web Request. */
export const toRequest = (event: APIGatewayProxyEvent): Request =>
  new Request(`https://${event.requestContext.domainName ?? 'localhost'}${event.requestContext.path}`, {
    method: event.httpMethod,
    headers: headersOf(event),
    body: bodyOf(event),
  });

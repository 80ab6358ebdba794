import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ACCOUNT } from '../template-names.ts';
import type { Match } from './routes.ts';

/** What an AWS_PROXY integration hands to its function (payload of REST APIs, version 1.0). */
export interface ProxyEvent {
  resource: string;
  path: string;
  httpMethod: string;
  headers: Record<string, string>;
  multiValueHeaders: Record<string, string[]>;
  queryStringParameters: Record<string, string> | null;
  multiValueQueryStringParameters: Record<string, string[]> | null;
  pathParameters: Record<string, string> | null;
  stageVariables: Record<string, string> | null;
  requestContext: Record<string, unknown>;
  body: string | null;
  isBase64Encoded: boolean;
}

export const proxyEvent = (
  request: IncomingMessage,
  url: URL,
  body: Buffer,
  { method, pathParameters }: Match,
): ProxyEvent => {
  const headers = multiValueHeaders(request);
  const query = multiValueQuery(url);
  const isText = isUtf8(body);
  return {
    resource: method.resource,
    path: url.pathname,
    httpMethod: request.method ?? 'GET',
    headers: lastOfEach(headers),
    multiValueHeaders: headers,
    queryStringParameters: query && lastOfEach(query),
    multiValueQueryStringParameters: query,
    pathParameters,
    stageVariables: null,
    requestContext: requestContext(request, url, method),
    body: body.length === 0 ? null : body.toString(isText ? 'utf8' : 'base64'),
    isBase64Encoded: body.length > 0 && !isText,
  };
};

const requestContext = (request: IncomingMessage, url: URL, method: Match['method']) => {
  const now = new Date();
  const host = request.headers.host ?? 'localhost';
  const requestId = randomUUID();
  return {
    accountId: ACCOUNT,
    apiId: method.apiId,
    domainName: host,
    domainPrefix: host.split('.')[0],
    extendedRequestId: requestId,
    httpMethod: request.method,
    identity: { sourceIp: sourceIp(request), userAgent: request.headers['user-agent'] ?? null },
    path: `/${method.stage}${url.pathname}`,
    protocol: `HTTP/${request.httpVersion}`,
    requestId,
    requestTime: now.toUTCString(),
    requestTimeEpoch: now.getTime(),
    resourceId: method.resource,
    resourcePath: method.resource,
    stage: method.stage,
  };
};

const sourceIp = (request: IncomingMessage): string => request.socket.remoteAddress ?? '127.0.0.1';

/** Names as the client wrote them, and what API Gateway adds. */
const multiValueHeaders = (request: IncomingMessage): Record<string, string[]> => {
  const headers: Record<string, string[]> = {};
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] as string;
    (headers[name] ??= []).push(request.rawHeaders[at + 1] as string);
  }
  return {
    ...headers,
    'X-Forwarded-For': [sourceIp(request)],
    'X-Forwarded-Port': [String(request.socket.localPort)],
    'X-Forwarded-Proto': ['http'],
  };
};

const multiValueQuery = (url: URL): Record<string, string[]> | null => {
  const query: Record<string, string[]> = {};
  for (const [name, value] of url.searchParams) (query[name] ??= []).push(value);
  return Object.keys(query).length === 0 ? null : query;
};

const lastOfEach = (values: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list.at(-1) ?? '']));

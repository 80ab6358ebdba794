import type { AuthInfo } from '@modelcontextprotocol/server';
import type { APIGatewayProxyEvent } from 'aws-lambda';

export interface Limits {
  maxRequestBytes: number;
}

/** Answers a request that is not to be served, before anything of it is read. */
export type Admit = (event: APIGatewayProxyEvent) => Response | undefined;

/** What is to be known of a request before it is served. */
export interface Front {
  admit: Admit;
  callerOf(event: APIGatewayProxyEvent): AuthInfo | undefined;
}

const refuse = (status: number, error: string, error_description: string): Response =>
  Response.json({ error, error_description }, { status });

export const admitWith =
  ({ maxRequestBytes }: Limits): Admit =>
  ({ body, isBase64Encoded, queryStringParameters, multiValueHeaders }) => {
    // A URL ends up in logs and histories; a client that puts its token there must learn of it (RFC 6750, section 2).
    if (queryStringParameters?.['access_token'] !== undefined) {
      return refuse(400, 'invalid_request', 'Send the token in the Authorization header, not in the URL.');
    }
    if (valuesOf(multiValueHeaders, 'authorization').length > 1) {
      return refuse(400, 'invalid_request', 'Send one Authorization header.');
    }
    const bytes = isBase64Encoded ? ((body?.length ?? 0) * 3) / 4 : Buffer.byteLength(body ?? '');
    if (bytes > maxRequestBytes) {
      return refuse(413, 'request_too_large', `A request takes at most ${maxRequestBytes} bytes.`);
    }
    return undefined;
  };

const valuesOf = (headers: APIGatewayProxyEvent['multiValueHeaders'], name: string): string[] =>
  Object.entries(headers ?? {}).flatMap(([key, values]) =>
    key.toLowerCase() === name ? (values ?? []) : [],
  );

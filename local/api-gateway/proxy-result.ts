import type { ServerResponse } from 'node:http';

/** What a function behind an AWS_PROXY integration returns. */
export interface ProxyResult {
  statusCode: number;
  headers?: Record<string, string | number | boolean>;
  multiValueHeaders?: Record<string, (string | number | boolean)[]>;
  body?: string;
  isBase64Encoded?: boolean;
}

/** The metadata in front of a streamed body. */
export type StreamMetadata = Omit<ProxyResult, 'statusCode' | 'body' | 'isBase64Encoded'> & {
  statusCode?: number;
  cookies?: string[];
};

/**
 * Names that API Gateway keeps to itself: a function's header of that name arrives with a prefix.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
const REMAPPED = new Set(['authorization', 'connection', 'date', 'server', 'www-authenticate']);

/** Undefined unless it is what API Gateway accepts; it answers anything else with a 502. */
export const parseProxyResult = (payload: string): ProxyResult | undefined => {
  const result = JSON.parse(payload) as ProxyResult | null;
  if (typeof result !== 'object' || result === null || !isStatus(result.statusCode)) return undefined;
  if (result.body !== undefined && result.body !== null && typeof result.body !== 'string') return undefined;
  return result;
};

const isStatus = (status: unknown): boolean => /^[1-5]\d\d$/.test(String(status));

export const writeHead = (response: ServerResponse, result: StreamMetadata): void => {
  response.statusCode = Number(result.statusCode ?? 200);
  for (const [name, value] of Object.entries(result.headers ?? {})) {
    response.setHeader(remap(name), String(value));
  }
  for (const [name, values] of Object.entries(result.multiValueHeaders ?? {})) {
    response.setHeader(remap(name), values.map(String));
  }
  if (result.cookies) response.setHeader('set-cookie', result.cookies);
};

export const bodyOf = ({ body, isBase64Encoded }: ProxyResult): Buffer =>
  Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');

const remap = (name: string): string => (REMAPPED.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name);

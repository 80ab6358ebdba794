import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../http.ts';
import type { LambdaFunction } from '../lambda/function.ts';
import type { Functions } from '../lambda/functions.ts';
import type { ResolvedTemplate } from '../template.ts';
import { proxyEvent, type ProxyEvent } from './proxy-event.ts';
import { bodyOf, gatewayError, parseProxyResult, writeHead, type ProxyResult } from './proxy-result.ts';
import { Routes, type ApiMethod } from './routes.ts';
import { PreludeParser } from './stream-prelude.ts';

const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** A streamed response may take this long; a buffered one `integrationTimeoutMs`. */
const STREAM_TIMEOUT_MS = 15 * 60_000;

/** Lets a request through, with what `event.requestContext.authorizer` shall be, or answers it. */
export type Authorize = (
  method: ApiMethod,
  event: ProxyEvent,
) => Promise<{ context?: Record<string, unknown> } | { deny: ProxyResult }>;

export interface RestApiOptions {
  template: ResolvedTemplate;
  functions: Functions;
  integrationTimeoutMs: number;
  authorize?: Authorize;
}

/** The REST APIs of a template, served without the stage in the path. */
export class RestApi {
  private readonly routes: Routes;

  constructor(private readonly options: RestApiOptions) {
    this.routes = new Routes(options.template);
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
    const match = this.routes.find(request.method ?? 'GET', url.pathname);
    const body = await readBody(request, MAX_BODY_BYTES);
    if (!match) {
      const type = 'MissingAuthenticationTokenException';
      return gatewayError(response, 403, 'Missing Authentication Token', type);
    }
    if (!body) return gatewayError(response, 413, 'Request Too Long', 'RequestTooLargeException');

    const { integration } = match.method;
    if (integration.type === 'mock') {
      response.writeHead(integration.status, integration.headers).end();
      return;
    }
    const event = proxyEvent(request, url, body, match);
    const decision = await this.options.authorize?.(match.method, event);
    if (decision && 'deny' in decision) return sendResult(response, decision.deny);
    if (decision?.context) event.requestContext.authorizer = decision.context;

    const target = this.options.functions.get(integration.functionArn);
    if (integration.streaming) await this.stream(target, event, response);
    else await this.buffer(target, event, response);
  }

  private async buffer(target: LambdaFunction, event: ProxyEvent, response: ServerResponse): Promise<void> {
    const timer = setTimeout(() => timedOut(response), this.options.integrationTimeoutMs);
    const outcome = await target.invoke(event);
    clearTimeout(timer);
    // The function went on after the 504, as on AWS; its result has nobody to go to.
    if (response.headersSent || response.destroyed) return;
    const result = 'payload' in outcome ? parseProxyResult(outcome.payload) : undefined;
    if (result) sendResult(response, result);
    else malformed(response);
  }

  private async stream(target: LambdaFunction, event: ProxyEvent, response: ServerResponse): Promise<void> {
    const prelude = new PreludeParser();
    const gone = new AbortController();
    const timer = setTimeout(() => {
      gone.abort();
      if (response.headersSent) response.destroy();
      else timedOut(response);
    }, STREAM_TIMEOUT_MS);
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });

    const write = (chunk: Uint8Array): void => {
      if (response.headersSent) {
        response.write(chunk);
        return;
      }
      const parsed = prelude.push(chunk);
      if (!parsed) return;
      writeHead(response, parsed.metadata);
      response.flushHeaders();
      if (parsed.rest.length > 0) response.write(parsed.rest);
    };
    const outcome = await target.invoke(event, {
      signal: gone.signal,
      onChunk: (chunk) => {
        if (response.writableEnded || response.destroyed) return;
        try {
          write(chunk);
        } catch {
          malformed(response);
        }
      },
      onEnd: () => {
        if (response.headersSent) response.end();
      },
    });
    clearTimeout(timer);
    if (response.writableEnded || response.destroyed) return;
    // Without metadata there was no response; with them it broke off half way, and the client must see that.
    if (!response.headersSent) malformed(response);
    else if ('error' in outcome) response.destroy();
    else response.end();
  }
}

const sendResult = (response: ServerResponse, result: ProxyResult): void => {
  writeHead(response, result);
  const body = bodyOf(result);
  if (body.length > 0 && !response.hasHeader('content-type')) {
    response.setHeader('content-type', 'application/json');
  }
  if (response.statusCode !== 204) response.setHeader('content-length', body.length);
  response.end(body);
};

const malformed = (response: ServerResponse): void =>
  gatewayError(response, 502, 'Internal server error', 'InternalServerErrorException');

const timedOut = (response: ServerResponse): void =>
  gatewayError(response, 504, 'Endpoint request timed out', 'InternalServerErrorException');

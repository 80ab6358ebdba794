import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../http.ts';
import type { LambdaFunction } from '../lambda/function.ts';
import type { Functions } from '../lambda/functions.ts';
import type { ResolvedTemplate } from '../template.ts';
import { Authorizers } from './authorizers.ts';
import { GatewayResponses, type GatewayResponseType } from './gateway-responses.ts';
import { sendMock } from './mock.ts';
import { proxyEvent, type ProxyEvent } from './proxy-event.ts';
import { bodyOf, parseProxyResult, writeHead, type ProxyResult } from './proxy-result.ts';
import { Routes } from './routes.ts';
import { PreludeParser } from './stream-prelude.ts';

const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** A streamed response may take this long; a buffered one `integrationTimeoutMs`. */
const STREAM_TIMEOUT_MS = 15 * 60_000;

type Refuse = (type: GatewayResponseType) => void;

export interface RestApiOptions {
  template: ResolvedTemplate;
  functions: Functions;
  integrationTimeoutMs: number;
}

/** The REST APIs of a template, served without the stage in the path. */
export class RestApi {
  private readonly routes: Routes;
  private readonly authorizers: Authorizers;
  private readonly gatewayResponses: GatewayResponses;

  constructor(private readonly options: RestApiOptions) {
    this.routes = new Routes(options.template);
    this.authorizers = new Authorizers(options.template, options.functions);
    this.gatewayResponses = new GatewayResponses(options.template);
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
    const match = this.routes.find(request.method ?? 'GET', url.pathname);
    const body = await readBody(request, MAX_BODY_BYTES);
    if (!match) return this.gatewayResponses.send(response, 'MISSING_AUTHENTICATION_TOKEN');
    const { apiId, integration } = match.method;
    if (!body) return this.gatewayResponses.send(response, 'REQUEST_TOO_LARGE', apiId);

    const event = proxyEvent(request, url, body, match);
    const refuse = (type: GatewayResponseType): void =>
      this.gatewayResponses.send(response, type, apiId, event);
    const decision = await this.authorizers.decide(match.method, event);
    if ('refusedWith' in decision) return refuse(decision.refusedWith);
    Object.assign(event.requestContext, decision.requestContext);
    if (integration.type === 'mock') return sendMock(response, integration, event);

    const target = this.options.functions.get(integration.functionArn);
    if (integration.streaming) await this.stream(target, event, response, refuse);
    else await this.buffer(target, event, response, refuse);
  }

  private async buffer(
    target: LambdaFunction,
    event: ProxyEvent,
    response: ServerResponse,
    refuse: Refuse,
  ): Promise<void> {
    const timer = setTimeout(() => refuse('INTEGRATION_TIMEOUT'), this.options.integrationTimeoutMs);
    const outcome = await target.invoke(event);
    clearTimeout(timer);
    // The function went on after the 504, as on AWS; its result has nobody to go to.
    if (response.headersSent || response.destroyed) return;
    const result = 'payload' in outcome ? parseProxyResult(outcome.payload) : undefined;
    if (result) sendResult(response, result);
    else refuse('INTEGRATION_FAILURE');
  }

  private async stream(
    target: LambdaFunction,
    event: ProxyEvent,
    response: ServerResponse,
    refuse: Refuse,
  ): Promise<void> {
    const prelude = new PreludeParser();
    const gone = new AbortController();
    const timer = setTimeout(() => {
      gone.abort();
      if (response.headersSent) response.destroy();
      else refuse('INTEGRATION_TIMEOUT');
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
          refuse('INTEGRATION_FAILURE');
        }
      },
      onEnd: () => {
        if (response.headersSent) response.end();
      },
    });
    clearTimeout(timer);
    if (response.writableEnded || response.destroyed) return;
    // Without metadata there was no response; with them it broke off half way, and the client must see that.
    if (!response.headersSent) refuse('INTEGRATION_FAILURE');
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

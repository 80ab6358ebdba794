import assert from 'node:assert/strict';
import { checkNoLeak, checkResponse, isModern, listenChecker, type Rpc } from './check.ts';

/** The same response, once it has passed; of a stream, each event as it comes. */
export const checkedResponse = async (sent: string, response: Response): Promise<Response> => {
  const type = response.headers.get('content-type') ?? '';
  const request = parse(sent);
  if (type.startsWith('text/event-stream')) return checkedStream(request, response);

  const text = await response.text();
  checkNoLeak(text);
  if (response.status === 202) assert.equal(text, '', 'a notification gets no body');
  else if (type.startsWith('application/json')) checkBody(request, JSON.parse(text) as Rpc, response.status);
  return new Response(NO_BODY.has(response.status) ? null : text, response);
};

const NO_BODY = new Set([204, 205, 304]);

const checkBody = (request: Rpc | undefined, body: Rpc, status: number): void => {
  // API Gateway's own answers ({ message }) are no JSON-RPC, and have a status of their own.
  if (!('jsonrpc' in body)) assert.ok(status >= 400, 'an answer without JSON-RPC');
  else if (request !== undefined && body.id !== null) checkResponse(request, body, status);
  else assert.ok(body.error !== undefined && status >= 400, 'only an error answers what is no request');
};

const checkedStream = (request: Rpc | undefined, response: Response): Response => {
  const check = checkerFor(request);
  let buffered = '';
  const decoder = new TextDecoder();
  const checking = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      buffered += decoder.decode(chunk, { stream: true });
      const events = buffered.split('\n\n');
      buffered = events.pop()!;
      for (const event of events) {
        checkNoLeak(event);
        const data = event.split('\n').filter((line) => line.startsWith('data: '));
        if (data.length > 0) check(JSON.parse(data.map((line) => line.slice(6)).join('\n')) as Rpc);
      }
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body!.pipeThrough(checking), response);
};

const checkerFor = (request: Rpc | undefined): ((message: Rpc) => void) => {
  if (request === undefined) return () => {};
  return request.method === 'subscriptions/listen' ? listenChecker(request) : checkRequestStream(request);
};

/** The stream of any other request: what relates to it, and then its response. */
const checkRequestStream = (request: Rpc) => (message: Rpc) => {
  if (message.method === undefined) return checkResponse(request, message);
  if (isModern(request)) assert.equal(message.id, undefined, 'a server sends no requests');
};

/** One JSON-RPC request; undefined for everything else that a test may have sent. */
const parse = (sent: string): Rpc | undefined => {
  try {
    const request = JSON.parse(sent) as Rpc;
    const hasId = typeof request.id === 'string' || Number.isSafeInteger(request.id);
    return typeof request.method === 'string' && hasId ? request : undefined;
  } catch {
    return undefined;
  }
};

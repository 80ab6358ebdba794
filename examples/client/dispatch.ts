import {
  DispatchError,
  type JsonRpcResponse,
  type RawClientDispatch,
} from '@modelcontextprotocol/ext-tasks/client';
import { EventSourceParserStream } from 'eventsource-parser/stream';

export const PROTOCOL_VERSION = '2026-07-28';

type Params = Record<string, unknown>;

/** One request of the protocol, as a response that may be a stream. */
export type Post = (method: string, params: Params, options?: PostOptions) => Promise<Response>;

export interface PostOptions {
  signal?: AbortSignal | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

export const postTo = (url: string, headers: Record<string, string>): Post => {
  let lastId = 0;
  return (method, params, options = {}) =>
    fetch(url, {
      method: 'POST',
      signal: options.signal ?? null,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': PROTOCOL_VERSION,
        'Mcp-Method': method,
        'Mcp-Name': String(params['taskId'] ?? params['name'] ?? ''),
        ...headers,
        ...options.headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params }),
    });
};

/**
 * The official client refuses results that it does not know, and a task is one: ext-tasks takes those calls over, and
 * wants to be given the way to the server.
 */
export const dispatchOver =
  (post: Post): RawClientDispatch =>
  async (request, { signal, context } = {}) => {
    const { method, params } = request as unknown as { method: string; params: Params };
    const response = await post(method, params, { signal, headers: context?.headers }).catch(
      (cause: unknown) => {
        throw new DispatchError('No connection to the server', true, { cause });
      },
    );
    return readResponse(response);
  };

const readResponse = async (response: Response): Promise<JsonRpcResponse> => {
  let said = '';
  for await (const text of messagesOf(response)) {
    said = text;
    try {
      const { result, error } = JSON.parse(text);
      if (result !== undefined) return { kind: 'result', result };
      if (error !== undefined) return { kind: 'error', error };
      // A notification on the way to the answer.
    } catch {
      break;
    }
  }
  // Not JSON-RPC: something between here and the server answered.
  const retryable = response.status === 429 || response.status >= 500;
  throw new DispatchError(`HTTP ${response.status}: ${said.slice(0, 200)}`, retryable);
};

/** The JSON-RPC messages of a response, as texts: its body, or those of an event stream as they come. */
export async function* messagesOf(response: Response): AsyncGenerator<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    yield await response.text();
    return;
  }
  const events = response
    .body!.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { data } of events) if (data !== '') yield data;
}

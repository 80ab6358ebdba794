import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createTaskSessionFromClient,
  DispatchError,
  type RawClientDispatch,
  type TaskEnabledSession,
} from '@modelcontextprotocol/ext-tasks/client';

const PROTOCOL_VERSION = '2026-07-28';
const CLIENT_INFO = { name: 'task-client-example', version: '1.0.0' };
/** Declared with every request. A server asks only what is declared here, and makes tasks only for the extension. */
const CAPABILITIES = { elicitation: { form: {} } };
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

export interface Connection {
  session: TaskEnabledSession;
  /** One request of the protocol by hand: for streams, which the packages do not offer for tasks yet. */
  post(method: string, params: Record<string, unknown>, signal?: AbortSignal): Promise<Response>;
  close(): Promise<void>;
}

export const connect = async (url: string, headers: Record<string, string> = {}): Promise<Connection> => {
  const client = new Client(CLIENT_INFO, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode: { pin: PROTOCOL_VERSION } },
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));

  let lastId = 0;
  const send = (method: string, params: Record<string, unknown>, signal?: AbortSignal): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      signal: signal ?? null,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': PROTOCOL_VERSION,
        'Mcp-Method': method,
        'Mcp-Name': String(params['taskId'] ?? params['name'] ?? ''),
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params }),
    });

  // The official client refuses results that it does not know, and a task is one: ext-tasks takes the call over,
  // and wants to be given the way to the server.
  const rawDispatch: RawClientDispatch = async (request, { signal } = {}) => {
    const { method, params } = request as { method: string; params: Record<string, unknown> };
    const response = await send(method, params, signal).catch((error: unknown) => {
      throw new DispatchError(`No connection to ${url}`, true, { cause: error });
    });
    const text = await response.text();
    const json = text.startsWith('{')
      ? text
      : text
          .trimEnd()
          .split(/^data: /m)
          .at(-1);
    try {
      const { result, error } = JSON.parse(json ?? '');
      if (result !== undefined) return { kind: 'result', result };
      if (error !== undefined) return { kind: 'error', error };
    } catch {
      // Not JSON-RPC: something between here and the server answered.
    }
    const retryable = response.status === 429 || response.status >= 500;
    throw new DispatchError(`HTTP ${response.status}: ${text.slice(0, 200)}`, retryable);
  };

  const session = createTaskSessionFromClient(client, {
    endpointId: url,
    rawDispatch,
    v2RequestFraming: {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: CLIENT_INFO,
      clientCapabilities: CAPABILITIES,
    },
  });
  return {
    session,
    post: (method, params, signal) =>
      send(
        method,
        {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
            'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
            'io.modelcontextprotocol/clientCapabilities': { ...CAPABILITIES, ...TASKS },
          },
        },
        signal,
      ),
    async close() {
      await session.close();
      await client.close();
    },
  };
};

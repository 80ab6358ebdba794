import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createTaskSessionFromClient,
  DispatchError,
  type JsonRpcResponse,
  type RawClientDispatch,
  type TaskEnabledSession,
  type V2RequestFraming,
  type WithTasksOptions,
} from '@modelcontextprotocol/ext-tasks/client';

export const PROTOCOL_VERSION = '2026-07-28';
const CLIENT_INFO = { name: 'serverless-mcp-tasks', version: '0.1.0' };

export interface McpConnection {
  client: Client;
  /** Drives tools that become tasks: polls, answers questions, cancels. */
  session: TaskEnabledSession;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Answers questions. Without one, the official client cancels every elicitation by itself. */
  onQuestion?: WithTasksOptions['onInputRequest'];
  /** Sent with every request, `Authorization` for one. */
  headers?: Record<string, string>;
}

/** The official client with the Tasks extension, as an application would set it up. */
export const connect = async (
  mcpUrl: string,
  { onQuestion, headers = {} }: ConnectOptions = {},
): Promise<McpConnection> => {
  const capabilities: Record<string, Record<string, object>> = onQuestion === undefined
    ? {}
    : { elicitation: { form: {} } };
  const client = new Client(CLIENT_INFO, {
    capabilities,
    versionNegotiation: { mode: { pin: PROTOCOL_VERSION } },
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit: { headers } }));

  const session = createTaskSessionFromClient(client, {
    endpointId: mcpUrl,
    rawDispatch: rawDispatch(mcpUrl, headers),
    v2RequestFraming: {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: CLIENT_INFO,
      clientCapabilities: capabilities as V2RequestFraming['clientCapabilities'],
    },
    ...(onQuestion === undefined ? {} : { onInputRequest: onQuestion }),
  });
  return {
    client,
    session,
    async close() {
      await session.close();
      await client.close();
    },
  };
};

interface JsonRpcRequest {
  method: string;
  params?: { name?: string; taskId?: string };
}

/** The SDK's client refuses results it does not know, so requests that may answer with a task go out by hand. */
const rawDispatch = (mcpUrl: string, headers: Record<string, string>): RawClientDispatch => {
  let lastId = 0;
  return async (request, { signal, context } = {}) => {
    const { method, params } = request as unknown as JsonRpcRequest;
    const response = await fetch(mcpUrl, {
      method: 'POST',
      signal: signal ?? null,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': PROTOCOL_VERSION,
        'Mcp-Method': method,
        'Mcp-Name': params?.taskId ?? params?.name ?? '',
        ...headers,
        ...context?.headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++lastId, ...(request as object) }),
    }).catch((error: unknown) => {
      throw new DispatchError(`No connection to ${mcpUrl}`, true, { cause: error });
    });
    return parseResponse(response);
  };
};

/** A JSON body, or the last event of a stream: both hold one JSON-RPC response. */
const parseResponse = async (response: Response): Promise<JsonRpcResponse> => {
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const json = isStream
    ? text
        .trimEnd()
        .split(/^data: /m)
        .at(-1)
    : text;
  try {
    const body = JSON.parse(json ?? '');
    if (body.result !== undefined) return { kind: 'result', result: body.result };
    if (body.error !== undefined) return { kind: 'error', error: body.error };
  } catch {
    // Not JSON-RPC: the API itself answered.
  }
  throw new DispatchError(`HTTP ${response.status}: ${text.slice(0, 200)}`, response.status >= 500);
};

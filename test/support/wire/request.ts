import { PROTOCOL_VERSION } from '../../../examples/client/dispatch.ts';

export const TASKS = 'io.modelcontextprotocol/tasks';
const META = 'io.modelcontextprotocol/';

/** A client with the Tasks extension that can answer forms. */
export const FULL_CLIENT = { extensions: { [TASKS]: {} }, elicitation: { form: {} } };

export interface RequestOptions {
  id?: unknown;
  capabilities?: object;
  /** Over the headers that the request ought to have; undefined takes one away. */
  headers?: Record<string, string | undefined>;
  signal?: AbortSignal;
}

export interface RpcError {
  code: number;
  message: string;
  data?: Record<string, unknown>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /* eslint-disable @typescript-eslint/no-explicit-any -- a test reads the answer as it is */
  body: { jsonrpc?: string; id?: unknown; result?: any; error?: RpcError };
  /* eslint-enable @typescript-eslint/no-explicit-any */
}

/** The envelope that every request of revision 2026-07-28 carries in its `_meta`. */
export const envelope = (capabilities: object = FULL_CLIENT): Record<string, unknown> => ({
  [`${META}protocolVersion`]: PROTOCOL_VERSION,
  [`${META}clientInfo`]: { name: 'test', version: '1' },
  [`${META}clientCapabilities`]: capabilities,
});

/** A request as a conforming client of revision 2026-07-28 sends it, unless told otherwise. */
export const mcpRequest = (
  method: string,
  params: Record<string, unknown> = {},
  { id = 1, capabilities, headers = {}, signal }: RequestOptions = {},
): RequestInit => {
  const name = params['taskId'] ?? params['name'];
  const sent = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': PROTOCOL_VERSION,
    'Mcp-Method': headerValue(method),
    'Mcp-Name': typeof name === 'string' ? headerValue(name) : undefined,
    ...headers,
  };
  return {
    method: 'POST',
    headers: Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined),
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method,
      params: { ...params, _meta: { ...envelope(capabilities), ...(params['_meta'] as object) } },
    }),
    signal: signal ?? null,
  };
};

/** Streamable HTTP, Value Encoding: what a header cannot carry as it is goes in Base64. */
const headerValue = (value: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value)
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`;

/** Sends it, and reads the whole answer: a JSON body, or the last event of a stream. */
export const send = async (mcpUrl: string, init: RequestInit): Promise<Answer> => {
  const response = await fetch(mcpUrl, init);
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const json = isStream ? text.slice(text.lastIndexOf('\ndata: ') + 7) : text;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: json === '' ? {} : (JSON.parse(json) as Answer['body']),
  };
};

export const call = (
  mcpUrl: string,
  method: string,
  params?: Record<string, unknown>,
  options?: RequestOptions,
): Promise<Answer> => send(mcpUrl, mcpRequest(method, params, options));

/** Calls a task tool. @returns the task's id */
export const startTask = async (mcpUrl: string, name: string, args: object): Promise<string> => {
  const { body, text } = await call(mcpUrl, 'tools/call', { name, arguments: args });
  if (body.result?.resultType !== 'task') throw new Error(`No task: ${text}`);
  return body.result.taskId as string;
};

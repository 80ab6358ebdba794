import { TASKS_EXTENSION } from '../../lambdas/protocol/capabilities.ts';

const REVISION = '2026-07-28';

export interface HttpAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The last JSON of the body: the JSON-RPC response, on a stream too. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads the wire as it is
  body: any;
}

/** One request of the 2026-07-28 revision, as it goes over the wire. Header values of null are left out. */
export const postMcp = async (
  mcpUrl: string,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string | null> = {},
): Promise<HttpAnswer> => {
  const name = params['taskId'] ?? params['name'];
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'test-client', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {
      extensions: { [TASKS_EXTENSION]: {} },
      elicitation: { form: {} },
    },
  };
  const sent = Object.entries({
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': REVISION,
    'Mcp-Method': method,
    'Mcp-Name': typeof name === 'string' ? name : null,
    ...headers,
  }).filter((header): header is [string, string] => header[1] !== null);
  const response = await fetch(mcpUrl, {
    method: 'POST',
    headers: sent,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  });
  const text = await response.text();
  const last = [...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1] ?? text;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: last ? JSON.parse(last) : undefined,
  };
};

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

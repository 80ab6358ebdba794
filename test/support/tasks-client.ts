import { PROTOCOL_VERSION } from '../../local/mcp-client.ts';

/* eslint-disable @typescript-eslint/no-explicit-any -- a test reads the wire as it is */
export type Result = Record<string, any>;
export interface RpcResponse {
  status: number;
  result?: Result;
  error?: { code: number; message: string; data?: any };
}
/* eslint-enable @typescript-eslint/no-explicit-any */

export const CAPABILITIES = {
  elicitation: { form: {} },
  extensions: { 'io.modelcontextprotocol/tasks': {} },
};

/** One request of the 2026-07-28 revision by hand: for what the official client would not send. */
export const rpc = async (
  mcpUrl: string,
  method: string,
  params: Record<string, unknown> = {},
  { capabilities = CAPABILITIES as object, headers = {} as Record<string, string> } = {},
): Promise<RpcResponse> => {
  const response = await fetch(mcpUrl, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': PROTOCOL_VERSION,
      'Mcp-Method': method,
      ...(method === 'tools/call' ? { 'Mcp-Name': String(params['name']) } : {}),
      ...(method.startsWith('tasks/') ? { 'Mcp-Name': String(params['taskId']) } : {}),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
          'io.modelcontextprotocol/clientCapabilities': capabilities,
        },
      },
    }),
  });
  const { result, error } = (await response.json()) as RpcResponse;
  return { status: response.status, result, error };
};

/** Polls until the task is in one of the states. The suite's time limit is the only limit. */
export const pollUntil = async (mcpUrl: string, taskId: string, ...statuses: string[]): Promise<Result> => {
  for (;;) {
    const { result, error } = await rpc(mcpUrl, 'tasks/get', { taskId });
    if (result === undefined) throw new Error(`tasks/get answered ${JSON.stringify(error)}`);
    if (statuses.includes(result['status'])) return result;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

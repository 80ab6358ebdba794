import {
  CallToolResultV2Schema,
  CancelTaskResultV2Schema,
  CreateTaskResultV2Schema,
  GetTaskResultV2Schema,
  UpdateTaskResultV2Schema,
} from '@modelcontextprotocol/ext-tasks/core/v2';
import type { ClientCapabilities } from '@modelcontextprotocol/server';
import { TASKS_EXTENSION } from '../../lambdas/protocol/capabilities.ts';
import { mcpFetchFor, type Call } from '../../lambdas/protocol/mcp-fetch.ts';
import type { Server } from '../../lambdas/protocol/mcp-server.ts';
import { tasksOver } from '../../lambdas/protocol/tasks.ts';
import { fakePorts, type FakePorts } from './fake-ports.ts';
import { handlers, tools } from './tools.ts';

export const REVISION = '2026-07-28';

/** A client that takes tasks and answers forms. */
export const CAPABLE: ClientCapabilities = {
  extensions: { [TASKS_EXTENSION]: {} },
  elicitation: { form: {} },
};

/* eslint-disable @typescript-eslint/no-explicit-any -- a test reads the wire as it is */
export interface Answer {
  status: number;
  headers: Headers;
  /** The JSON-RPC response as it went over the wire. */
  body: { id?: unknown; result?: any; error?: { code: number; message: string; data?: any } };
  /** Everything that came on the stream, the response last; the response alone if it was none. */
  messages: { method?: string; params?: any; result?: any; id?: unknown }[];
}
/* eslint-enable @typescript-eslint/no-explicit-any */

/** A header holds ASCII; the specification has a Base64 form for the rest. */
const headerValue = (text: string): string =>
  /^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;

const read = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.includes('text/event-stream');
  const documents = isStream ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data!) : [text];
  const messages = documents.filter((json) => json !== '').map((json) => JSON.parse(json));
  return { status: response.status, headers: response.headers, body: messages.at(-1) ?? {}, messages };
};

/** Every result that a test receives is one the extension's own schemas accept. */
const check = (method: string, { body: { result } }: Answer): void => {
  if (result === undefined) return;
  if (method === 'tasks/get') GetTaskResultV2Schema.parse(result);
  if (method === 'tasks/update') UpdateTaskResultV2Schema.parse(result);
  if (method === 'tasks/cancel') CancelTaskResultV2Schema.parse(result);
  if (method === 'tools/call') {
    (result.resultType === 'task' ? CreateTaskResultV2Schema : CallToolResultV2Schema).parse(result);
  }
};

/** A result without what the SDK adds about the server. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads the wire as it is
export const payloadOf = (result: any): Record<string, unknown> =>
  Object.fromEntries(Object.entries(result).filter(([name]) => name !== '_meta'));

export interface RequestOptions {
  capabilities?: unknown;
  /** Over the usual headers; null leaves one out. */
  headers?: Record<string, string | null>;
  /** Over the usual `_meta`. */
  meta?: Record<string, unknown>;
  id?: string | number;
}

/** The whole protocol as the Lambda serves it, on fake ports. */
export const serve = (over: Partial<Server> = {}, ports: FakePorts = fakePorts()) => {
  const logged: { message: string; details: Record<string, unknown> }[] = [];
  const caller = { tenant: 'alice' };
  const log = (message: string, details: Record<string, unknown>) => void logged.push({ message, details });
  const fetch = mcpFetchFor({
    name: 'test',
    version: '1.0.0',
    tools,
    handlers,
    tasks: tasksOver(ports.store, ports.workflows, {
      retentionMs: 0,
      staleMs: 60_000,
      log: { warn: () => undefined, error: log },
    }),
    tenantOf: () => caller.tenant,
    listen: { tasksPerStream: 3, streamMs: 5_000, pollMs: 1, keepAliveMs: 5_000 },
    wait: { ms: 5_000, streams: true },
    log: { warn: () => undefined, error: log },
    ...over,
  });

  const send = (
    body: string,
    headers: Record<string, string | null> = {},
    call?: Call,
  ): Promise<Response> => {
    const sent = Object.entries({
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    }).filter((header): header is [string, string] => header[1] !== null);
    return fetch(new Request('https://test/mcp', { method: 'POST', headers: sent, body }), call);
  };
  const post = async (body: string, headers?: Record<string, string | null>): Promise<Answer> =>
    read(await send(body, headers));

  /** A request of the 2026-07-28 revision, to its response as a stream. */
  const open = (
    method: string,
    params: Record<string, unknown> = {},
    { capabilities = CAPABLE, headers, meta, id = 1 }: RequestOptions = {},
    call?: Call,
  ): Promise<Response> => {
    const name = params['name'] ?? params['taskId'] ?? params['uri'];
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientInfo': { name: 'test-client', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      ...meta,
    };
    return send(
      JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }),
      {
        'MCP-Protocol-Version': REVISION,
        'Mcp-Method': method,
        ...(typeof name === 'string' ? { 'Mcp-Name': headerValue(name) } : {}),
        ...headers,
      },
      call,
    );
  };

  const request = async (
    method: string,
    params?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<Answer> => {
    const answer = await read(await open(method, params, options));
    check(method, answer);
    return answer;
  };

  /** One request of the 2025 revisions: no envelope, no Mcp-* headers. */
  const legacyRequest = (
    method: string,
    params: Record<string, unknown> = {},
    revision = '2025-11-25',
  ): Promise<Answer> =>
    post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), { 'MCP-Protocol-Version': revision });

  const call = (name: string, args?: unknown, options?: RequestOptions): Promise<Answer> =>
    request('tools/call', { name, arguments: args }, options);

  const tasks = {
    get: (taskId: unknown, options?: RequestOptions) => request('tasks/get', { taskId }, options),
    cancel: (taskId: unknown, options?: RequestOptions) => request('tasks/cancel', { taskId }, options),
    update: (taskId: unknown, inputResponses: unknown, options?: RequestOptions) =>
      request('tasks/update', { taskId, inputResponses }, options),
  };

  /** A working task of Alice's, and the workflow that runs it. */
  const startTask = async (name = 'build', args: unknown = { what: 'a bridge' }) => {
    const { body } = await call(name, args);
    if (body.result?.taskId === undefined) throw new Error(`No task: ${JSON.stringify(body)}`);
    const ref = { tenant: caller.tenant, taskId: String(body.result.taskId) };
    ports.calls.length = 0;
    return { ...ref, ref, workflow: ports.workflow(ref) };
  };

  return { ports, logged, caller, post, open, request, legacyRequest, call, tasks, startTask };
};

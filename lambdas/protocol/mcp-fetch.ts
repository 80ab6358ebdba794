import { createMcpHandler, type AuthInfo } from '@modelcontextprotocol/server';
import { UnknownTask } from './errors.ts';
import { withRefusedResponses } from './input-responses.ts';
import { listenToTasks } from './listen.ts';
import { mcpServerFor, type Server } from './mcp-server.ts';
import type { TaskRecord } from './task.ts';
import { takeAnswer } from './tasks-2025/take-answer.ts';

export interface Call {
  /** What the API verified about the caller. */
  authInfo?: AuthInfo;
  /** Aborted when the client has gone, or just before the platform cuts the response. */
  signal?: AbortSignal;
}

export type McpFetch = (request: Request, call?: Call) => Promise<Response>;

/** The whole protocol as one function from request to response: the SDK's handler, and listening to tasks. */
export const mcpFetchFor = (server: Server): McpFetch => {
  const { fetch } = createMcpHandler(mcpServerFor(server), {
    onerror: (error) => server.log.warn('Request refused', { error }),
  });

  return async (request, { authInfo, signal = new AbortController().signal } = {}) => {
    if (server.legacyTasks) {
      const context = () => ({ ...server, tenant: server.tenantOf(authInfo) });
      const taken = await takeAnswer(request, context);
      if (taken) return taken;
    }
    // The SDK holds this header against the body, so there is no need to parse every body to find out.
    const method = request.headers.get('mcp-method');
    if (method === 'tasks/update') {
      const refused = withRefusedResponses(await parsed(request.clone()));
      return fetch(request, { authInfo, ...(refused && { parsedBody: refused }) });
    }
    if (method !== 'subscriptions/listen') return fetch(request, { authInfo });
    const body = await parsed(request.clone());
    return listenToTasks(body, await fetch(request, { authInfo }), {
      limits: server.listen,
      serverInfo: { name: server.name, version: server.version },
      log: server.log,
      signal,
      find: (taskId) => findTask(server, server.tenantOf(authInfo), taskId),
    });
  };
};

const parsed = async (request: Request): Promise<unknown> => {
  try {
    return JSON.parse(await request.text());
  } catch {
    return undefined;
  }
};

const findTask = async (
  { tasks }: Server,
  tenant: string,
  taskId: string,
): Promise<TaskRecord | undefined> => {
  try {
    return await tasks.get({ tenant, taskId });
  } catch (error) {
    if (error instanceof UnknownTask) return undefined;
    throw error;
  }
};

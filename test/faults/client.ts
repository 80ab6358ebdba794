import type { CreateTaskResultV2, DetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { mcpRequest } from '../support/wire/request.ts';

/** The JSON-RPC error that a request was answered with. */
export class RpcError extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly data?: { retryAfterMs?: number },
  ) {
    super(message);
  }
}

export type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, unknown> };

/** A client that sends single requests, so that a test decides what is sent when, twice, or not at all. */
export const taskClient = (mcpUrl: string) => {
  const send = async <T>(method: string, params: Record<string, unknown>): Promise<T> => {
    const response = await fetch(mcpUrl, mcpRequest(method, params));
    const text = await response.text();
    let body;
    try {
      body = JSON.parse(text);
    } catch {
      throw new Error(`HTTP ${response.status}, not JSON: ${text.slice(0, 200)}`);
    }
    if (body.error) throw new RpcError(response.status, body.error.code, body.error.message, body.error.data);
    if (body.result === undefined)
      throw new Error(`HTTP ${response.status}, not JSON-RPC: ${text.slice(0, 200)}`);
    return body.result as T;
  };

  const get = (taskId: string) => send<DetailedTaskV2>('tasks/get', { taskId });
  return {
    send,
    call: (name: string, args: Record<string, unknown> = {}) =>
      send<CreateTaskResultV2>('tools/call', { name, arguments: args }),
    get,
    update: (taskId: string, inputResponses: Record<string, unknown>) =>
      send<object>('tasks/update', { taskId, inputResponses }),
    cancel: (taskId: string) => send<object>('tasks/cancel', { taskId }),
    /** Polls until the task is as wanted. */
    until: async (
      taskId: string,
      wanted: (task: DetailedTaskV2) => boolean,
      withinMs = 10_000,
      slowestPollMs = 40,
    ): Promise<DetailedTaskV2> => {
      const deadline = Date.now() + withinMs;
      for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, slowestPollMs)) {
        const task = await get(taskId);
        if (wanted(task)) return task;
        if (Date.now() > deadline) throw new Error(`Still ${JSON.stringify(task)}`);
        await new Promise((done) => setTimeout(done, pauseMs));
      }
    },
  };
};

export type TaskClient = ReturnType<typeof taskClient>;

export const isOver = ({ status }: DetailedTaskV2): boolean =>
  status !== 'working' && status !== 'input_required';

export const asks = ({ status }: DetailedTaskV2): boolean => status === 'input_required';

/** Keys of the open questions. */
export const openKeys = (task: DetailedTaskV2): string[] =>
  task.status === 'input_required' ? Object.keys(task.inputRequests) : [];

export const accept = (next: string): Answer => ({ action: 'accept', content: { next } });

/** Calls a driven tool and waits for its question. */
export const callAndWait = async (client: TaskClient, tool: string, args: Record<string, unknown> = {}) => {
  const { taskId } = await client.call(tool, args);
  const [key] = openKeys(await client.until(taskId, asks));
  return { taskId, key: key! };
};

export const until = async (condition: () => Promise<boolean>, withinMs = 10_000): Promise<void> => {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`It did not come about in ${withinMs} ms`);
    await new Promise((done) => setTimeout(done, 20));
  }
};

import { ProtocolError, type McpServer, type Result, type ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { editResults } from '../bare-task-results.ts';
import { answerErrors, InvalidParams } from '../errors.ts';
import type { Server } from '../mcp-server.ts';
import { resultOf } from '../task-result.ts';
import { openInputs, type TaskRecord, type TaskRef } from '../task.ts';
import { hasEnded, watchTask } from '../watch-task.ts';
import { questionId } from './question-id.ts';
import { RELATED_TASK, REVISION, taskOf2025 } from './wire.ts';

/** No list: it would have to be scoped to a session, and there is none. */
export const CAPABILITY = { cancel: {}, requests: { tools: { call: {} } } };

/** `initialize` is where the revision is agreed: only then is it known whether this capability exists in it. */
export const advertise2025 = (mcp: McpServer): void => {
  editResults(mcp, (result) =>
    result['protocolVersion'] === REVISION && 'capabilities' in result
      ? { ...result, capabilities: { ...(result['capabilities'] as object), tasks: CAPABILITY } }
      : result,
  );
};

const taskParams = z.looseObject({ taskId: z.string() });

/** The task methods of 2025-11-25 (basic/utilities/tasks), on the same records as those of the extension. */
export const serveTasks2025 = (mcp: McpServer, { tasks, tenantOf, wait, listen, log }: Server): void => {
  const serve = (method: string, handle: (ref: TaskRef, context: ServerContext) => Promise<Result>): void =>
    mcp.server.setRequestHandler(
      method,
      { params: z.unknown() },
      answerErrors(log)(async (params, context) => {
        const parsed = taskParams.safeParse(params);
        if (!parsed.success) throw new InvalidParams(`${method} needs params.taskId, a string.`);
        return handle({ tenant: tenantOf(context.http?.authInfo), taskId: parsed.data.taskId }, context);
      }),
    );

  serve('tasks/get', async (ref) => ({ ...taskOf2025(await tasks.get(ref)) }));

  serve('tasks/cancel', async (ref) => {
    refuseEnded(await tasks.get(ref));
    await tasks.cancel(ref);
    const task = await tasks.get(ref);
    // It came to its own end meanwhile.
    if (task.status !== 'cancelled') refuseEnded(task);
    return { ...taskOf2025(task) };
  });

  serve('tasks/result', async (ref, context) => {
    const task = await watchTask(tasks, await tasks.get(ref), hasEnded, {
      // A person may have to answer while this waits: as long as a stream may take.
      ms: wait.streams ? Math.max(wait.ms, listen.streamMs) : wait.ms,
      signal: context.mcpReq.signal,
      onLook: askOn(mcp, context),
    });
    if (!hasEnded(task)) throw new StillWorking();
    const result = resultOf(task);
    if (result === undefined) throw new InvalidParams('The task was cancelled: it has no result.');
    const { _meta, ...plain } = mcp.server.projectCallToolResult(result, undefined);
    return { ...plain, _meta: { ..._meta, [RELATED_TASK]: { taskId: task.taskId } } };
  });
};

const refuseEnded = (task: TaskRecord): void => {
  if (!hasEnded(task)) return;
  const { status } = taskOf2025(task);
  throw new InvalidParams(`Cannot cancel task: already in terminal status '${status}'`);
};

/** Puts every question of the task on the stream of this request, once. */
const askOn = (mcp: McpServer, { mcpReq }: ServerContext) => {
  const asked = new Set<string>();
  return async (task: TaskRecord): Promise<void> => {
    const { taskId } = task;
    for (const [key, { request }] of Object.entries(openInputs(task))) {
      if (asked.has(key)) continue;
      asked.add(key);
      const { method, params } = JSON.parse(request) as { method: string; params: Record<string, unknown> };
      const id = questionId(taskId, key);
      // That revision wants an id for pages that a person is sent to.
      const page = params['mode'] === 'url' ? { elicitationId: key } : {};
      const _meta = { ...(params['_meta'] as object), [RELATED_TASK]: { taskId } };
      await mcp.server.transport?.send(
        { jsonrpc: '2.0', id, method, params: { ...params, ...page, _meta } },
        { relatedRequestId: mcpReq.id },
      );
    }
  };
};

/** The code with which the SDKs of that revision name a request's time limit. */
const REQUEST_TIMEOUT = -32_001;

class StillWorking extends ProtocolError {
  constructor() {
    super(
      REQUEST_TIMEOUT,
      'The task has not ended within the time of this request. It goes on: poll tasks/get, and ask again then.',
    );
  }
}

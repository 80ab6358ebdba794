import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { toolFailure } from './call-tool.ts';
import { StartTask, type BeforeTask, type TaskTool } from './define-tool.ts';
import { InvalidParams } from './errors.ts';
import { handleOf } from './handle.ts';
import type { TaskRecord } from './task.ts';
import { TooLarge, type Tasks } from './tasks.ts';
import { createTaskResult2025 } from './tasks-2025/wire.ts';
import { awaitedTask, waitForTask, type WaitLimits } from './wait-for-task.ts';
import type { Serving } from './without-tasks.ts';
import { createTaskResult } from './wire.ts';

export interface TaskCall {
  name: string;
  tool: TaskTool;
  args: Record<string, unknown>;
  /** Runs first; without one the task starts at once. */
  before?: BeforeTask;
  tenant: string;
  tasks: Tasks;
  serving: Serving;
  wait: WaitLimits;
}

/** Settles what has to be settled before there is a task (SEP-2663, Task Creation), then starts it. */
export const callTaskTool = async (
  call: TaskCall,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> => {
  const { name, tool, args, before, tenant, tasks, serving } = call;
  const awaited = serving === 'wait' ? awaitedTask(context) : undefined;
  if (awaited !== undefined) {
    const ref = { tenant, taskId: awaited };
    await tasks.update(ref, context.mcpReq.inputResponses ?? {});
    return serve(call, await tasks.get(ref), context);
  }

  const decision = before === undefined ? new StartTask(args) : await before(args, context);
  if (!(decision instanceof StartTask)) return decision;
  let task: TaskRecord;
  try {
    task = await tasks.create(tenant, name, tool, decision.args);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    const reason = `The arguments of ${name} are too large: a task takes at most 256 KB of them.`;
    if (serving === '2025') throw new InvalidParams(reason);
    return toolFailure(reason);
  }
  return serve(call, task, context);
};

const serve = (
  { tool, tasks, serving, wait }: TaskCall,
  task: TaskRecord,
  context: ServerContext,
): CallToolResult | Promise<CallToolResult | InputRequiredResult> => {
  switch (serving) {
    case 'task':
      // The SDK's types know the results of the core specification; the extension's passes its encoder untouched.
      return createTaskResult(task) as unknown as CallToolResult;
    case '2025':
      // Its check of results insists on a content; on the way out it is taken away (bare-task-results.ts).
      return { content: [], ...createTaskResult2025(task) };
    case 'handle':
      return handleOf(task);
    case 'wait':
      return waitForTask(tasks, task, { ...wait, notDoneInTime: tool.notDoneInTime }, context);
  }
};

import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { toolFailure } from './call-tool.ts';
import { declaresTasks } from './capabilities.ts';
import { StartTask, type BeforeTask, type TaskTool } from './define-tool.ts';
import { TooLarge, type Tasks } from './tasks.ts';
import { waitForTask } from './wait-for-task.ts';
import { createTaskResult } from './wire.ts';

export interface TaskCall {
  name: string;
  tool: TaskTool;
  args: Record<string, unknown>;
  /** Runs first; without one the task starts at once. */
  before?: BeforeTask;
  tenant: string;
  tasks: Tasks;
  waitMs?: number;
}

/** Settles what has to be settled before there is a task (SEP-2663, Task Creation), then starts it. */
export const callTaskTool = async (
  { name, tool, args, before, tenant, tasks, waitMs }: TaskCall,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> => {
  const decision = before === undefined ? new StartTask(args) : await before(args, context);
  if (!(decision instanceof StartTask)) return decision;
  try {
    const task = await tasks.create(tenant, name, tool, decision.args);
    // The SDK's types know the results of the core specification; the extension's passes its encoder untouched.
    if (declaresTasks(context)) return createTaskResult(task) as unknown as InputRequiredResult;
    return await waitForTask(tasks, task, { waitMs, signal: context.mcpReq.signal });
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return toolFailure(`The arguments of ${name} are too large: a task takes at most 256 KB of them.`);
  }
};

import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { AnyTool } from './define-tool.ts';
import { detailedTask } from './wire.ts';
import type { TaskRecord } from './task.ts';

/** How long task_status may wait within one request, in seconds: below the time after which a buffering API cuts it. */
export const LONGEST_WAIT_SECONDS = 20;

/** A task as models see it: in `structuredContent` of a tool that became one, and of the companion tools. */
export const taskState = z.object({
  taskId: z.string(),
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: z.string().optional(),
  pollIntervalMs: z.int().describe('Look again no sooner than after so many milliseconds.'),
});

export const stateOf = (task: TaskRecord): z.output<typeof taskState> => {
  const { taskId, status, statusMessage, pollIntervalMs = 0 } = detailedTask(task);
  return { taskId, status, ...(statusMessage === undefined ? {} : { statusMessage }), pollIntervalMs };
};

/** Whether a call of this tool may end in a handle, for a client without tasks. */
export const givesHandles = (tool: AnyTool): boolean =>
  tool.kind === 'task' &&
  tool.withoutTasks !== 'refuse' &&
  !(tool.withoutTasks === 'wait' && tool.notDoneInTime === 'stop');

/**
 * What a tool says about its `structuredContent`. Lists are the same for every caller, so a tool that may give a handle
 * says so to all of them: a client that holds results against this schema would refuse the handle otherwise.
 */
export const listedOutput = (tool: AnyTool): z.ZodType | undefined =>
  tool.outputSchema !== undefined && givesHandles(tool)
    ? z.union([tool.outputSchema, taskState])
    : tool.outputSchema;

/** An ordinary result in place of a task, for a model to go on from. */
export const handleOf = (task: TaskRecord): CallToolResult => ({
  content: [
    {
      type: 'text',
      text:
        `${task.tool} runs in the background as task ${task.taskId} and is not done yet. ` +
        `Call task_status with ${JSON.stringify({ taskId: task.taskId, waitSeconds: LONGEST_WAIT_SECONDS })} ` +
        'to wait for it, and again until its status is completed, failed or cancelled. ' +
        `It may ask something on the way; task_status shows it. Do not call ${task.tool} again for the same work.`,
    },
  ],
  structuredContent: stateOf(task),
});

import {
  inputRequired,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { toolFailure } from './call-tool.ts';
import { handleOf } from './handle.ts';
import { reportProgress } from './progress.ts';
import { resultOf } from './task-result.ts';
import { isTaskId, openInputs, type TaskRecord } from './task.ts';
import type { Tasks } from './tasks.ts';
import { needsSomebody, watchTask } from './watch-task.ts';
import { openRequests } from './wire.ts';

export interface WaitLimits {
  /** How long a call may wait for its task, in milliseconds: shorter than whoever is between cuts it. */
  ms: number;
  /** Whether what is sent before the answer reaches the client before it. */
  streams: boolean;
}

export interface Waiting extends WaitLimits {
  notDoneInTime?: 'handle' | 'stop';
}

/** The state that goes through the client with a question: which task it comes from. */
const STATE = 'waits for ';

/** The task that this round's answers are for, if the call is such a round. */
export const awaitedTask = ({ mcpReq }: ServerContext): string | undefined => {
  const state = mcpReq.requestState<unknown>();
  if (typeof state !== 'string' || !state.startsWith(STATE)) return undefined;
  const taskId = state.slice(STATE.length);
  return isTaskId(taskId) ? taskId : undefined;
};

/**
 * For a client without tasks: the result as if the tool had run within the request. A question goes to the client as
 * one of the call's own (basic/patterns/mrtr); its next round waits on.
 * @throws the task's JSON-RPC error, if it failed
 */
export const waitForTask = async (
  tasks: Tasks,
  started: TaskRecord,
  { ms, streams, notDoneInTime = 'handle' }: Waiting,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> => {
  const { signal } = context.mcpReq;
  const onLook = streams ? reportProgress(context) : undefined;
  const task = await watchTask(tasks, started, needsSomebody, { ms, signal, onLook });
  const result = resultOf(task);
  if (result !== undefined) return result;

  const inputRequests = openRequests(task) as Parameters<typeof inputRequired>[0]['inputRequests'];
  if (Object.keys(openInputs(task)).length > 0) {
    return inputRequired({ inputRequests, requestState: STATE + task.taskId });
  }
  // A client that has gone never learns the id: nobody could ask for this task.
  if (task.status === 'working' && notDoneInTime === 'handle' && !signal.aborted) return handleOf(task);
  return stop(tasks, task, ms);
};

const stop = async (tasks: Tasks, task: TaskRecord, ms: number): Promise<CallToolResult> => {
  await tasks.cancel(task);
  // It may have come to its own end meanwhile, and then that counts.
  return (
    resultOf(await tasks.get(task)) ??
    toolFailure(
      `${task.tool} was not done within ${ms / 1_000} seconds, so it was told to stop. ` +
        'A client with the Tasks extension can let it run for longer.',
    )
  );
};

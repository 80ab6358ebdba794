import { ProtocolError, type CallToolResult } from '@modelcontextprotocol/server';
import { toolFailure } from './call-tool.ts';
import { pause } from './pause.ts';
import type { TaskRecord } from './task.ts';
import type { Tasks } from './tasks.ts';

/** Below the 29 seconds after which an API that buffers cuts a request, with room for a cold start and the answer. */
const WAIT_MS = 20_000;
const SHORTEST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 1_000;

export interface Waiting {
  waitMs?: number;
  /** Aborted when the client has gone. */
  signal: AbortSignal;
}

/**
 * For a client without tasks: the result as if the tool had run within the request. What is not done in time is
 * stopped, since nobody could ever ask for it.
 * @throws the task's JSON-RPC error, if it failed
 */
export const waitForTask = async (
  tasks: Tasks,
  task: TaskRecord,
  { waitMs = WAIT_MS, signal }: Waiting,
): Promise<CallToolResult> => {
  const deadline = Date.now() + waitMs;
  let look = SHORTEST_LOOK_MS;
  while (task.status === 'working' && Date.now() < deadline && !signal.aborted) {
    await pause(Math.min(look, deadline - Date.now()), signal);
    look = Math.min(look * 1.5, LONGEST_LOOK_MS);
    task = await tasks.get(task);
  }
  if (task.status === 'working') {
    await tasks.cancel(task);
    // It may have come to its own end meanwhile, and then that counts.
    task = await tasks.get(task);
  }
  const { tool, result, error } = task;
  if (result !== undefined) return JSON.parse(result) as CallToolResult;
  if (error !== undefined) {
    const { code, message } = JSON.parse(error) as { code: number; message: string };
    throw new ProtocolError(code, message);
  }
  return toolFailure(
    `${tool} was not done within ${waitMs / 1_000} seconds, so it was told to stop. ` +
      'A client with the Tasks extension can let it run for longer.',
  );
};

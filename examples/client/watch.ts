import { setTimeout as sleep } from 'node:timers/promises';
import type { DetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { DispatchError, type TaskController } from '@modelcontextprotocol/ext-tasks/client';
import type { Connection } from './connection.ts';
import { messagesOf } from './dispatch.ts';

const POLL_MS = 1_000;
const LONGEST_BACK_OFF_MS = 30_000;

/** Every state of a task that the server tells, until it ends: as it happens if the server pushes, else by polling. */
export async function* watch(
  connection: Connection,
  task: TaskController,
  signal: AbortSignal,
): AsyncGenerator<DetailedTaskV2> {
  for (let pushes = true; ;) {
    // Polling comes first, always: whatever happened while nobody listened is in its answer.
    const state = await poll(task, signal);
    yield state;
    if (isEnd(state)) return;
    if (pushes) {
      pushes = false;
      for await (const pushed of listen(connection, task.taskId, signal)) {
        pushes = true;
        yield pushed;
        if (isEnd(pushed)) return;
      }
    }
    // The server's suggestion. It may grow with the task's age.
    await sleep(state.pollIntervalMs ?? POLL_MS, undefined, { signal });
  }
}

const isEnd = ({ status }: DetailedTaskV2): boolean => status !== 'working' && status !== 'input_required';

/** Asks until there is an answer. What may pass by itself is tried again, each time after twice as long. */
const poll = async (task: TaskController, signal: AbortSignal): Promise<DetailedTaskV2> => {
  for (let backOff = POLL_MS; ; backOff = Math.min(backOff * 2, LONGEST_BACK_OFF_MS)) {
    try {
      return (await task.snapshot(signal)).raw as unknown as DetailedTaskV2;
    } catch (error) {
      if (!(error instanceof DispatchError) || !error.retryable) throw error;
      await sleep(backOff * (0.5 + Math.random() / 2), undefined, { signal });
    }
  }
};

/** Ends when the stream does, without a word where the server does not push: the caller polls then. */
async function* listen(
  connection: Connection,
  taskId: string,
  signal: AbortSignal,
): AsyncGenerator<DetailedTaskV2> {
  try {
    for await (const text of messagesOf(await connection.listen([taskId], signal))) {
      const { method, params } = JSON.parse(text);
      if (method === 'notifications/tasks' && params.taskId === taskId) yield params as DetailedTaskV2;
    }
  } catch (error) {
    if (signal.aborted) throw error;
  }
}

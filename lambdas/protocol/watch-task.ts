import { pause } from './pause.ts';
import { openInputs, type TaskRecord } from './task.ts';
import type { Tasks } from './tasks.ts';

const SHORTEST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 1_000;

export interface Watch {
  /** How long at most. */
  ms: number;
  /** Aborted when the client has gone. */
  signal: AbortSignal;
  /** Called with every look, the first one included. */
  onLook?(task: TaskRecord): Promise<void>;
}

/** Looks at a task until it is as wanted, time is up, or nobody waits any more. @returns the last look */
export const watchTask = async (
  tasks: Tasks,
  task: TaskRecord,
  wanted: (task: TaskRecord) => boolean,
  { ms, signal, onLook }: Watch,
): Promise<TaskRecord> => {
  const deadline = Date.now() + ms;
  let look = SHORTEST_LOOK_MS;
  for (;;) {
    await onLook?.(task);
    if (wanted(task) || Date.now() >= deadline || signal.aborted) return task;
    await pause(Math.min(look, deadline - Date.now()), signal);
    look = Math.min(look * 1.5, LONGEST_LOOK_MS);
    task = await tasks.get(task);
  }
};

export const hasEnded = ({ status }: TaskRecord): boolean => status !== 'working';

/** Nothing will happen by itself: the task has ended, or waits for an answer. */
export const needsSomebody = (task: TaskRecord): boolean =>
  hasEnded(task) || Object.keys(openInputs(task)).length > 0;

import type { Log } from './errors.ts';
import { endOfExecution, NOT_STARTED, OUT_OF_TIME } from './execution-end.ts';
import { noObserver, type TaskObserver } from './observer.ts';
import type { TaskEnd, TaskStore, Workflows } from './ports.ts';
import { endOfLife, type TaskRecord } from './task.ts';

export interface ReadRepairOptions {
  /** Milliseconds without a write after which a working record is held against its execution. */
  staleMs: number;
  /** Milliseconds after which a task that waits to be started is given up: longer than anybody tries to start it. */
  queueMs: number;
  log: Log;
  observer?: TaskObserver;
}

/** Tasks found running that are remembered, so that polling a quiet task does not ask for it every time. */
const REMEMBERED = 10_000;

/**
 * Status events of executions are delivered on a best-effort basis, so no poll depends on one: a working record that
 * has not moved for long, or has outlived its time, is held against its execution, and closed if that has ended.
 */
export const readRepair = (
  store: TaskStore,
  workflows: Workflows,
  { staleMs, queueMs, log, observer = noObserver }: ReadRepairOptions,
): ((task: TaskRecord) => Promise<TaskRecord>) => {
  const lastSeenRunning = new Map<string, number>();

  const isSuspect = (task: TaskRecord, now: number): boolean => {
    if (task.status !== 'working') return false;
    if (now > endOfLife(task)) return true;
    const lastSign = Math.max(Date.parse(task.lastUpdatedAt), lastSeenRunning.get(task.taskId) ?? 0);
    return now - lastSign > (task.queuedInput === undefined ? staleMs : queueMs);
  };

  const whatEnded = async (
    task: TaskRecord,
    now: number,
  ): Promise<Omit<TaskEnd, 'lastUpdatedAt'> | undefined> => {
    const execution = await workflows.describe(task.executionArn);
    switch (execution.status) {
      case 'running':
        if (now <= endOfLife(task)) {
          if (lastSeenRunning.size >= REMEMBERED) lastSeenRunning.clear();
          lastSeenRunning.set(task.taskId, now);
          return undefined;
        }
        await workflows.stop(task.executionArn, 'OutOfTime');
        return OUT_OF_TIME;
      case 'missing':
        if (task.queuedInput !== undefined) return now > endOfLife(task) ? OUT_OF_TIME : NOT_STARTED;
        // The request that creates a task takes less than `staleMs`, so nobody is about to start this one.
        return now - Date.parse(task.createdAt) > staleMs ? NOT_STARTED : undefined;
      default:
        return endOfExecution(execution);
    }
  };

  return async (task) => {
    const now = Date.now();
    if (!isSuspect(task, now)) return task;
    try {
      const end = await whatEnded(task, now);
      if (end === undefined) return task;
      const closing = { ...end, lastUpdatedAt: new Date(now).toISOString() };
      log.warn('Closed a task that nobody had closed', { taskId: task.taskId, status: end.status });
      // Not one that was started between our two looks: whoever starts tasks stops what was closed as queued.
      const close = task.queuedInput === undefined ? store.close : store.closeQueued;
      if (await close(task, closing)) {
        observer.repaired(task);
        return { ...task, ...closing, inputs: {} };
      }
      return (await store.get(task)) ?? task;
    } catch (error) {
      // What the record says is an answer too, and the next poll looks again.
      log.warn('Could not hold a task against its execution', { taskId: task.taskId, error });
      return task;
    }
  };
};

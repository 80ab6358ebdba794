import { CannotStart } from '../protocol/cannot-start.ts';
import type { Log } from '../protocol/errors.ts';
import { CANCELLED, NOT_STARTED, OUT_OF_TIME } from '../protocol/execution-end.ts';
import type { ExecutionInput, TaskStore, Workflows } from '../protocol/ports.ts';
import { endOfLife, type TaskRef } from '../protocol/task.ts';

export interface StarterPorts {
  store: Pick<TaskStore, 'get' | 'closeQueued' | 'dequeue'>;
  workflows: Pick<Workflows, 'start' | 'describe' | 'stop'>;
}

const now = (): string => new Date().toISOString();

/**
 * Starts a task that waits for it. May be done again at any time, and after a crash at any point: the same task is one
 * execution. What was closed while it waited has nothing running when this is done.
 */
export const startQueued = async (ref: TaskRef, ports: StarterPorts, log: Log): Promise<void> => {
  const { store, workflows } = ports;
  const task = await store.get(ref);
  // Expired, or started before.
  if (task?.queuedInput === undefined) return;
  if (task.status !== 'working') {
    // An earlier try may have got as far as the start.
    return workflows.stop(task.executionArn, task.status === 'cancelled' ? 'Cancelled' : 'NotStarted');
  }
  if (Date.now() > endOfLife(task)) {
    await store.closeQueued(task, { ...OUT_OF_TIME, lastUpdatedAt: now() });
    return startQueued(ref, ports, log);
  }
  // Asked to end before it began: there is nothing to undo, unless an earlier try did start it.
  if (task.cancelRequestedAt !== undefined) {
    const { status } = await workflows.describe(task.executionArn);
    if (status === 'missing') {
      await store.closeQueued(task, { ...CANCELLED, lastUpdatedAt: now() });
      return;
    }
  }
  try {
    await workflows.start(task.tool, JSON.parse(task.queuedInput) as ExecutionInput);
  } catch (error) {
    // Others wait behind it in the stream.
    if (!(error instanceof CannotStart)) throw error;
    log.error('Gave up a task that cannot be started', { taskId: task.taskId, error });
    await store.closeQueued(task, { ...NOT_STARTED, lastUpdatedAt: now() });
    return;
  }
  if (await store.dequeue(task, now())) return;
  // It has ended: by its workflow, which takes it out of the queue, or it was closed as one that waits.
  await startQueued(ref, ports, log);
};

import type { TaskRecord } from './task.ts';

/** Who wants to know what happens to tasks, for logs and metrics. Nothing waits for them, and nothing depends on them. */
export interface TaskObserver {
  /** A request is about this task. */
  seen(task: TaskRecord): void;
  created(task: TaskRecord): void;
  /** An answer has reached the workflow. @param waitedMs since the question was asked, if its workflow noted when */
  answered(task: TaskRecord, waitedMs: number | undefined): void;
  /** A poll has closed it, since nobody else had. */
  repaired(task: TaskRecord): void;
}

const nothing = (): void => undefined;

export const noObserver: TaskObserver = {
  seen: nothing,
  created: nothing,
  answered: nothing,
  repaired: nothing,
};

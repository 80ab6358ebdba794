import { openInputs, type TaskRecord } from '../protocol/task.ts';

export interface OpenQuestions {
  count: number;
  /** Epoch milliseconds since when the oldest has been open. */
  oldestAt: number;
  /** Whose that is. */
  taskId: string;
}

/** Open questions by tool. */
export const census = (tasks: readonly TaskRecord[]): Map<string, OpenQuestions> => {
  const tools = new Map<string, OpenQuestions>();
  for (const task of tasks) {
    for (const { askedAt = task.lastUpdatedAt } of Object.values(openInputs(task))) {
      const found = { count: 1, oldestAt: Date.parse(askedAt), taskId: task.taskId };
      const before = tools.get(task.tool);
      const oldest = before && before.oldestAt <= found.oldestAt ? before : found;
      tools.set(task.tool, { ...oldest, count: (before?.count ?? 0) + 1 });
    }
  }
  return tools;
};

import type { CreateTaskResultV1, TaskV1 } from '@modelcontextprotocol/ext-tasks/core/v1';
import { clip } from '../clip.ts';
import type { TaskRecord } from '../task.ts';
import { detailedTask } from '../wire.ts';

/** The one revision that has these tasks. They leave the server on 2027-07-28 (docs/migration.md). */
export const REVISION = '2025-11-25';

/** Says of a message which task it belongs to. */
export const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** The same record in the words of 2025-11-25: other names, and a tool error is a failure of the task there. */
export const taskOf2025 = (record: TaskRecord): TaskV1 => {
  const task = detailedTask(record);
  const { taskId, createdAt, lastUpdatedAt, ttlMs: ttl, pollIntervalMs: pollInterval } = task;
  const toolError = task.status === 'completed' ? toolErrorOf(task.result) : undefined;
  const statusMessage = toolError ?? task.statusMessage;
  return {
    taskId,
    status: toolError === undefined ? task.status : 'failed',
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttl,
    ...(pollInterval === undefined ? {} : { pollInterval }),
  };
};

export const createTaskResult2025 = (record: TaskRecord): CreateTaskResultV1 => ({
  task: taskOf2025(record) as CreateTaskResultV1['task'],
});

/** What a tool says of its error, short enough for a status. */
const toolErrorOf = (result: Record<string, unknown>): string | undefined => {
  if (result['isError'] !== true) return undefined;
  const blocks = (result['content'] ?? []) as { text?: string }[];
  return clip(blocks.flatMap(({ text }) => text ?? []).join('\n') || 'The tool reported an error.', 1_000);
};

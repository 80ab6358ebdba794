import type { TaskRef } from '../task.ts';

const PATTERN = /^input:(tsk_[A-Za-z0-9_-]+):(.+)$/s;

/**
 * JSON-RPC id of a question. Its answer comes in a request of its own, and there is no session to look it up in: so
 * the id says which question of which task it is. It is no secret and proves nothing: an answer counts for a task of
 * the caller's own tenant with such an open question, as one in tasks/update does.
 */
export const questionId = (taskId: string, key: string): string => `input:${taskId}:${key}`;

export const parseQuestionId = (id: unknown): (Pick<TaskRef, 'taskId'> & { key: string }) | undefined => {
  const [, taskId, key] = (typeof id === 'string' && PATTERN.exec(id)) || [];
  return taskId === undefined || key === undefined ? undefined : { taskId, key };
};

import type {
  CreateTaskResultV2,
  DetailedTaskV2,
  InputRequestsV2,
  TaskV2,
} from '@modelcontextprotocol/ext-tasks/core/v2';
import { clip } from './clip.ts';
import { openInputs, type TaskRecord } from './task.ts';

/** It goes with every poll and every notification, and a workflow may put any of its data in. */
const LONGEST_STATUS_BYTES = 2_000;

const SLOWEST_POLL_MS = 30_000;

/** A day-long task need not be polled every second: the suggestion grows to a twentieth of the age, up to 30 s. */
const pollIntervalMs = ({ pollIntervalMs: suggested, createdAt }: TaskRecord, now: number): number => {
  const grown = Math.min((now - Date.parse(createdAt)) / 20, SLOWEST_POLL_MS);
  return Math.round(Math.max(suggested, grown));
};

/** The questions that wait for an answer, by their keys. */
export const openRequests = (task: TaskRecord): InputRequestsV2 =>
  Object.fromEntries(
    Object.entries(openInputs(task)).map(([key, { request }]) => [key, JSON.parse(request)]),
  );

const taskOf = (task: TaskRecord, now: number): Omit<TaskV2, 'status'> => ({
  taskId: task.taskId,
  ...(task.statusMessage === undefined
    ? {}
    : { statusMessage: clip(task.statusMessage, LONGEST_STATUS_BYTES) }),
  createdAt: task.createdAt,
  lastUpdatedAt: task.lastUpdatedAt,
  ttlMs: task.ttlMs,
  pollIntervalMs: pollIntervalMs(task, now),
});

/** The answer to a `tools/call` that became a task (SEP-2663, Task Creation): flat, with no result in it. */
export const createTaskResult = (task: TaskRecord, now = Date.now()): CreateTaskResultV2 => ({
  resultType: 'task',
  ...taskOf(task, now),
  // Of a new task: working. One that an earlier call with the same key created may be anything.
  status: detailedTask(task, now).status,
});

/** A task as tasks/get and notifications/tasks show it, with what its state carries (SEP-2663, Task Status). */
export const detailedTask = (task: TaskRecord, now = Date.now()): DetailedTaskV2 => {
  const common = taskOf(task, now);
  switch (task.status) {
    case 'working':
      return Object.keys(openInputs(task)).length === 0
        ? { ...common, status: 'working' }
        : { ...common, status: 'input_required', inputRequests: openRequests(task) };
    case 'completed':
      return { ...common, status: 'completed', result: JSON.parse(task.result ?? '{}') };
    case 'failed':
      return { ...common, status: 'failed', error: JSON.parse(task.error ?? '{}') };
    case 'cancelled':
      return { ...common, status: 'cancelled' };
  }
};

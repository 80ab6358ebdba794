import { isAnswerTo } from './answers.ts';
import type { TaskTool } from './define-tool.ts';
import { InvalidParams, UnknownTask } from './errors.ts';
import type { ExecutionInput, TaskStore, Workflows } from './ports.ts';
import { expiresAt, isTaskId, newTaskId, type TaskRecord, type TaskRef } from './task.ts';

/** Step Functions' limit for an execution's input and for a callback's output, in bytes of UTF-8. */
export const PAYLOAD_LIMIT_BYTES = 262_144;

export class TooLarge extends Error {}

/** The life of a task, from the endpoint's side. The workflow itself reports, asks and finishes. */
export interface Tasks {
  /** @throws TooLarge when the arguments exceed what an execution can be started with; nothing is written then. */
  create(tenant: string, name: string, tool: TaskTool, args: Record<string, unknown>): Promise<TaskRecord>;
  /** @throws UnknownTask */
  get(ref: TaskRef): Promise<TaskRecord>;
  /** Answers to keys that are not open are ignored (SEP-2663, Task Update Requests). @throws UnknownTask */
  update(ref: TaskRef, responses: Record<string, unknown>): Promise<void>;
  /** Acknowledged for an ended task too, without effect. @throws UnknownTask */
  cancel(ref: TaskRef): Promise<void>;
}

const now = (): string => new Date().toISOString();

export const tasksOver = (store: TaskStore, workflows: Workflows): Tasks => {
  const get = async (ref: TaskRef): Promise<TaskRecord> => {
    const task = isTaskId(ref.taskId) ? await store.get(ref) : undefined;
    if (task === undefined) throw new UnknownTask();
    return task;
  };

  return {
    get,

    async create(tenant, name, tool, args) {
      const task = newTask(tenant, name, tool, workflows);
      const input = executionInput(task, args);
      if (isTooLarge(input)) throw new TooLarge();

      // The record first: a client may poll before we answer, and a task nobody runs is better than
      // an execution nobody knows of.
      await store.create(task);
      await workflows.start(name, input);
      return task;
    },

    async update(ref, responses) {
      const { inputs } = await get(ref);
      const answers = Object.entries(responses).flatMap(([key, response]) => {
        const open = Object.hasOwn(inputs, key) ? inputs[key] : undefined;
        if (open === undefined) return [];
        if (!isAnswerTo(open.request, response)) {
          throw new InvalidParams(`The response to ${key} is not one that its request can have.`);
        }
        return [{ key, response, token: open.token }];
      });
      if (answers.some(isTooLarge)) {
        throw new InvalidParams('An input response may hold at most 256 KB.');
      }
      for (const { key, response, token } of answers) {
        // In this order a crash in between leaves a spent token, which a retry takes for answered.
        await workflows.answer(token, { key, response });
        await store.clearInput(ref, key, now());
      }
    },

    async cancel(ref) {
      const task = await get(ref);
      if (task.status !== 'working') return;
      const statusMessage = 'Cancelled at the caller’s request.';
      await workflows.stop(task.executionArn, statusMessage);
      await store.close(ref, { status: 'cancelled', statusMessage, lastUpdatedAt: now() });
    },
  };
};

/** What is nested too deeply to be written as JSON is too large as well. */
const isTooLarge = (payload: object): boolean => {
  try {
    return Buffer.byteLength(JSON.stringify(payload)) > PAYLOAD_LIMIT_BYTES;
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
};

const newTask = (tenant: string, name: string, tool: TaskTool, workflows: Workflows): TaskRecord => {
  const taskId = newTaskId();
  const createdAt = now();
  return {
    taskId,
    tenant,
    tool: name,
    executionArn: workflows.executionArn(name, taskId),
    status: 'working',
    createdAt,
    lastUpdatedAt: createdAt,
    ttlMs: tool.ttlMs,
    pollIntervalMs: tool.pollIntervalMs,
    inputs: {},
  };
};

const executionInput = (task: TaskRecord, args: Record<string, unknown>): ExecutionInput => ({
  task: {
    id: task.taskId,
    key: partitionKey(task),
    tool: task.tool,
    tenant: task.tenant,
    createdAt: task.createdAt,
    expiresAt: expiresAt(task) ?? null,
  },
  arguments: args,
});

/** Isolation by key: a tenant can only ever name its own records. */
export const partitionKey = ({ tenant, taskId }: TaskRef): string => `${tenant}#${taskId}`;

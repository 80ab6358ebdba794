import { answersTo, type Answer } from './answers.ts';
import type { TaskTool } from './define-tool.ts';
import { InvalidParams, TryAgain, UnknownTask } from './errors.ts';
import { CANCELLED, NOT_STARTED } from './execution-end.ts';
import { claimFor } from './idempotency.ts';
import { noObserver } from './observer.ts';
import { isTooLarge } from './payload.ts';
import type { Claim, ExecutionInput, StopReason, TaskEnd, TaskStore, Workflows } from './ports.ts';
import { readRepair, type ReadRepairOptions } from './read-repair.ts';
import {
  expiresAt,
  isTaskId,
  newTaskId,
  openInputs,
  partitionKey,
  type TaskRecord,
  type TaskRef,
} from './task.ts';

export class TooLarge extends Error {}

/** The life of a task, from the endpoint's side. The workflow itself reports, asks and finishes. */
export interface Tasks {
  /**
   * @throws TooLarge when the arguments exceed what an execution can be started with; nothing is written then.
   * @throws TryAgain when it could not be started; nothing runs then. A queued one is started later.
   */
  create(tenant: string, name: string, tool: TaskTool, args: Record<string, unknown>): Promise<TaskRecord>;
  /** @throws UnknownTask */
  get(ref: TaskRef): Promise<TaskRecord>;
  /**
   * Answers to keys that are not open are ignored (SEP-2663, Task Update Requests). @throws UnknownTask
   * @throws InvalidParams when an answer does not fit its question; then none is delivered
   */
  update(ref: TaskRef, responses: Record<string, unknown>, malformed?: readonly string[]): Promise<void>;
  /** Acknowledged for an ended task too, without effect. @throws UnknownTask */
  cancel(ref: TaskRef): Promise<void>;
}

export interface TaskOptions extends ReadRepairOptions {
  /** Milliseconds for which a record can still be read when the task's time is over. */
  retentionMs: number;
  /** `queued`: the record alone is written, and somebody else starts what it says (lambdas/start). */
  startTasks: 'now' | 'queued';
}

/** When to look again at a question whose token is spent. Nearly always the first look shows it answered. */
const SPENT_TOKEN_PAUSES_MS = [0, 50, 150, 400, 900, 1_500];

const now = (): string => new Date().toISOString();

export const tasksOver = (store: TaskStore, workflows: Workflows, options: TaskOptions): Tasks => {
  const { log, retentionMs, startTasks, observer = noObserver } = options;
  const repair = readRepair(store, workflows, options);

  const get = async (ref: TaskRef): Promise<TaskRecord> => {
    const found = isTaskId(ref.taskId) ? await store.get(ref) : undefined;
    if (found === undefined) throw new UnknownTask();
    const task = await repair(found);
    observer.seen(task);
    // A cancel that got no further than its mark; what it left open would wait for its timeout.
    if (task.cancelRequestedAt !== undefined) await withdraw(task, task.inputs);
    return task;
  };

  const start = async (task: TaskRecord, args: Record<string, unknown>): Promise<void> => {
    try {
      await workflows.start(task.tool, executionInput(task, args));
      observer.created(task);
    } catch (error) {
      log.error('Could not start a task', { taskId: task.taskId, error });
      throw new TryAgain('The task could not be started, and nothing runs. Try again in a few seconds.');
    }
  };

  /** The record is the outbox: its table's stream has the task started. */
  const enqueue = async (task: TaskRecord): Promise<void> => {
    await store.create(task);
    observer.created(task);
  };

  /** Ends a task that has been created, whether it is queued, started or over. */
  const end = async (
    task: TaskRecord,
    how: Omit<TaskEnd, 'lastUpdatedAt'>,
    reason: StopReason,
  ): Promise<void> => {
    const closing = { ...how, lastUpdatedAt: now() };
    // A queued one is closed first: whoever is starting it finds that, before or afterwards, and stops it.
    const closed = task.queuedInput !== undefined && (await store.closeQueued(task, closing));
    await workflows.stop(task.executionArn, reason);
    if (!closed) await store.close(task, closing);
  };

  /** Without a handle nobody would ever look: the write or the start may have worked and only its answer be lost. */
  const giveUp = async (task: TaskRecord): Promise<void> => {
    const closing = { ...NOT_STARTED, lastUpdatedAt: now() };
    const given =
      task.queuedInput === undefined
        ? allOf([workflows.stop(task.executionArn, 'NotStarted'), store.close(task, closing)])
        : end(task, NOT_STARTED, 'NotStarted');
    await given.catch((error: unknown) =>
      log.warn('Left a task to expire that could not be started', { taskId: task.taskId, error }),
    );
  };

  /** Whoever comes second, at whatever point the first one stopped, finishes the same task. */
  const createOnce = async (draft: TaskRecord, claim: Claim, args: Record<string, unknown>) => {
    const held = await store.claim(claim);
    if (held.fingerprint !== claim.fingerprint) {
      throw new InvalidParams(
        'A task with the same key but other arguments exists. It was not called again.',
      );
    }
    const { tenant, taskId, createdAt } = held;
    const found = taskId === claim.taskId ? undefined : await store.get({ tenant, taskId });
    if (found !== undefined && (startTasks === 'queued' || found.lastUpdatedAt !== found.createdAt)) {
      return found;
    }

    const executionArn = workflows.executionArn(draft.tool, taskId);
    const { expiresAt } = held;
    if (startTasks === 'queued') {
      // Its time in the queue counts from now, however old the claim.
      const task = queued({ ...draft, taskId, executionArn, createdAt, expiresAt }, args);
      await enqueue(task);
      return task;
    }
    const task = found ?? { ...draft, taskId, executionArn, createdAt, lastUpdatedAt: createdAt, expiresAt };
    if (found === undefined) await store.create(task);
    // Left as it is when it fails: the next call with this key starts the same task.
    await start(task, args);
    return task;
  };

  const deliver = async (ref: TaskRef, { key, response, token }: Answer): Promise<void> => {
    if (await workflows.answer(token, { key, response })) {
      // In this order a crash in between leaves a spent token, and the workflow clears the question itself.
      return store.clearInput(ref, key, token, now());
    }
    // The state does not wait on this token any more, and is about to say so in the record: another answer was first,
    // or nobody's was in time. Or its write is being repeated, and the same question comes back under another token.
    for (const pauseMs of SPENT_TOKEN_PAUSES_MS) {
      await new Promise((done) => setTimeout(done, pauseMs));
      const task = await store.get(ref);
      const open = task && openInputs(task)[key];
      if (open === undefined) return;
      if (open.token !== token) return deliver(ref, { key, response, token: open.token });
    }
    throw new TryAgain(`The answer to ${key} could not be delivered yet. Send it again.`);
  };

  const withdraw = (ref: TaskRef, inputs: TaskRecord['inputs']): Promise<void> =>
    allOf(
      Object.entries(inputs).map(async ([key, { token }]) => {
        await workflows.withdraw(token);
        await store.clearInput(ref, key, token, now());
      }),
    );

  return {
    get,

    async create(tenant, name, tool, args) {
      const task = newTask(tenant, name, tool, workflows, retentionMs);
      if (isTooLarge(executionInput(task, args))) throw new TooLarge();
      const claim = claimFor(tool, task, args);
      if (claim !== undefined) return createOnce(task, claim, args);
      if (startTasks === 'queued') {
        const waiting = queued(task, args);
        try {
          await enqueue(waiting);
        } catch (error) {
          await giveUp(waiting);
          throw error;
        }
        return waiting;
      }

      // The record first: a client may poll before we answer, and a task nobody runs is better than
      // an execution nobody knows of.
      await store.create(task);
      try {
        await start(task, args);
      } catch (error) {
        await giveUp(task);
        throw error;
      }
      return task;
    },

    async update(ref, responses, malformed = []) {
      const task = await get(ref);
      for (const answer of answersTo(task, responses, malformed)) {
        await deliver(ref, answer);
        const { askedAt } = task.inputs[answer.key] ?? {};
        observer.answered(task, askedAt === undefined ? undefined : Date.now() - Date.parse(askedAt));
      }
    },

    async cancel(ref) {
      const task = await get(ref);
      if (task.status !== 'working') return;
      if (task.cancel === 'cooperative') {
        const inputs = await store.requestCancel(ref, now());
        return withdraw(ref, inputs ?? {});
      }
      await end(task, CANCELLED, 'Cancelled');
    },
  };
};

/** Waits for all of them, also when one fails: Lambda freezes what is left running behind a response. */
const allOf = async (work: Promise<unknown>[]): Promise<void> => {
  const failure = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
};

const newTask = (
  tenant: string,
  name: string,
  tool: TaskTool,
  workflows: Workflows,
  retentionMs: number,
): TaskRecord => {
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
    expiresAt: expiresAt({ createdAt, ttlMs: tool.ttlMs }, retentionMs),
    pollIntervalMs: tool.pollIntervalMs,
    inputs: {},
    ...(tool.cancel === 'cooperative' ? { cancel: tool.cancel } : {}),
  };
};

const executionInput = (task: TaskRecord, args: Record<string, unknown>): ExecutionInput => ({
  task: {
    id: task.taskId,
    key: partitionKey(task),
    tool: task.tool,
    tenant: task.tenant,
    createdAt: task.createdAt,
    expiresAt: task.expiresAt ?? null,
  },
  arguments: args,
});

const queued = (task: TaskRecord, args: Record<string, unknown>): TaskRecord => ({
  ...task,
  queuedInput: JSON.stringify(executionInput(task, args)),
});

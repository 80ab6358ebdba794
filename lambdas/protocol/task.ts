import { randomBytes } from 'node:crypto';

/** Stored states. `input_required` is not one of them: it is how a working record with open inputs reads. */
export type StoredStatus = 'working' | 'completed' | 'failed' | 'cancelled';

/** A question a workflow has published and waits on. */
export interface OpenInput {
  /** The client request as JSON (`{ method, params }`), the same word for word on every poll. */
  request: string;
  /** Step Functions callback token. It never leaves the server. */
  token: string;
  /** ISO 8601. Only for operators: how long a task has been waiting. */
  askedAt?: string;
}

/** The record is the truth about a task. Times are ISO 8601, `result` and `error` are JSON. */
export interface TaskRecord {
  taskId: string;
  tenant: string;
  tool: string;
  executionArn: string;
  status: StoredStatus;
  statusMessage?: string;
  createdAt: string;
  lastUpdatedAt: string;
  /** Milliseconds from `createdAt`; null means unlimited. */
  ttlMs: number | null;
  pollIntervalMs: number;
  /** Epoch seconds from which the record counts as gone; DynamoDB deletes it some time later. */
  expiresAt?: number;
  inputs: Record<string, OpenInput>;
  /** How a cancel ends it: at once, or (`cooperative`) by the workflow, which may have to undo things first. */
  cancel?: 'cooperative';
  /** When a cooperative cancel was asked for. From then on nothing is asked any more. */
  cancelRequestedAt?: string;
  result?: string;
  /** Where the result is, if it is too large for the record. */
  storedResult?: StoredResult;
  error?: string;
  /** A task that waits to be started has here what with: the JSON of its execution's input. */
  queuedInput?: string;
}

export interface StoredResult {
  key: string;
  /** Of the result's JSON. */
  bytes: number;
}

/** The questions that an answer would reach. */
export const openInputs = ({ inputs, cancelRequestedAt }: TaskRecord): TaskRecord['inputs'] =>
  cancelRequestedAt === undefined ? inputs : {};

/** Whose task, and which. The tenant comes from the verified caller, never from the request. */
export interface TaskRef {
  tenant: string;
  taskId: string;
}

const TASK_ID = /^tsk_[A-Za-z0-9_-]{22,76}$/;

/** 128 random bits, so that ids cannot be guessed; at most 80 characters, since it names the execution too. */
export const newTaskId = (): string => `tsk_${randomBytes(16).toString('base64url')}`;

/** The strict form keeps `#` out, so that no task id can reach into another tenant's key. */
export const isTaskId = (value: string): boolean => TASK_ID.test(value);

/** Isolation by key: a tenant can only ever name its own records. */
export const partitionKey = ({ tenant, taskId }: TaskRef): string => `${tenant}#${taskId}`;

/** Epoch milliseconds at which the task's time is over: whatever still runs then is stopped. */
export const endOfLife = ({ createdAt, ttlMs }: Pick<TaskRecord, 'createdAt' | 'ttlMs'>): number =>
  ttlMs === null ? Infinity : Date.parse(createdAt) + ttlMs;

/**
 * Epoch seconds at which the record is gone: some time after the task's, so that a client still learns how it ended.
 * Both come from the same clock, whatever DynamoDB's says.
 */
export const expiresAt = (
  task: Pick<TaskRecord, 'createdAt' | 'ttlMs'>,
  retentionMs = 0,
): number | undefined =>
  task.ttlMs === null ? undefined : Math.ceil((endOfLife(task) + retentionMs) / 1000);

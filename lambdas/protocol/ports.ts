import type { TaskRecord, TaskRef } from './task.ts';

/** Where task records live. Every write after creation holds only while the stored status is `working`. */
export interface TaskStore {
  /** Writes a new record. Does nothing if this very task was written before, by a try whose answer got lost. */
  create(task: TaskRecord): Promise<void>;
  /** One strongly consistent read. An expired record is not found, whether it was deleted or not. */
  get(ref: TaskRef): Promise<TaskRecord | undefined>;
  /** Forgets an answered question. Does nothing if it is gone, was published anew, or the task has ended. */
  clearInput(ref: TaskRef, key: string, token: string, at: string): Promise<void>;
  /** Marks the task as being cancelled. Gives the questions open at that moment, or undefined if it has ended. */
  requestCancel(ref: TaskRef, at: string): Promise<TaskRecord['inputs'] | undefined>;
  /** Ends the task. False if it had ended already: the first end stays. */
  close(ref: TaskRef, end: TaskEnd): Promise<boolean>;
  /** Ends a task that waits to be started. False if it was started meanwhile, or had ended already. */
  closeQueued(ref: TaskRef, end: TaskEnd): Promise<boolean>;
  /** Says that the task waits no more: its execution was started. False if it has ended. */
  dequeue(ref: TaskRef, at: string): Promise<boolean>;
  /** Makes the claim, unless one on the same key holds: then that one is returned. */
  claim(claim: Claim): Promise<Claim>;
}

/** Which task a business key stands for. Written before the task, so that two calls find the same one. */
export interface Claim {
  tenant: string;
  /** Hash of tool and business key. */
  key: string;
  taskId: string;
  createdAt: string;
  /** Hash of the arguments. */
  fingerprint: string;
  /** As of the task's record. */
  expiresAt?: number;
}

export interface TaskEnd extends Pick<TaskRecord, 'lastUpdatedAt' | 'statusMessage' | 'result' | 'error'> {
  status: 'completed' | 'failed' | 'cancelled';
}

/** What a workflow is started with; states read it as `$$.Execution.Input`. */
export interface ExecutionInput {
  task: {
    id: string;
    key: string;
    tool: string;
    tenant: string;
    createdAt: string;
    expiresAt: number | null;
  };
  arguments: Record<string, unknown>;
}

/** How an execution stands. `missing`: it never started, or ended so long ago that nobody remembers it. */
export type Execution = { status: 'running' } | { status: 'missing' } | EndedExecution;

export interface EndedExecution {
  status: 'succeeded' | 'failed' | 'timedOut' | 'aborted';
  /** JSON it was started with; left out of events that would be too large. */
  input?: string;
  /** JSON; only of one that succeeded. */
  output?: string;
  error?: string;
  cause?: string;
}

/** Why the endpoint stops an execution. Kept as its error, so that whoever finds it stopped knows what to write. */
export type StopReason = 'Cancelled' | 'OutOfTime' | 'NotStarted';

/** What runs a task: one execution, named after the task, of the tool's state machine. */
export interface Workflows {
  /** The execution a task has or will have. Makes no call. */
  executionArn(tool: string, taskId: string): string;
  /** Starts the execution. The same task twice is one execution. @throws CannotStart if that will not change */
  start(tool: string, input: ExecutionInput): Promise<void>;
  /** How the execution stands. Eventually consistent: a start of this moment may still be missing. */
  describe(executionArn: string): Promise<Execution>;
  /** Stops the execution, if it is still running. */
  stop(executionArn: string, reason: StopReason): Promise<void>;
  /** Hands an answer to the waiting state. False if the state no longer waits: answered before, timed out, stopped. */
  answer(token: string, output: unknown): Promise<boolean>;
  /** Fails the waiting state with TaskCancelled, if it still waits. */
  withdraw(token: string): Promise<void>;
}

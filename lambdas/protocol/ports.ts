import type { TaskRecord, TaskRef } from './task.ts';

/** Where task records live. Every write after creation holds only while the stored status is `working`. */
export interface TaskStore {
  /** Writes a new record. Fails if one with the same key exists. */
  create(task: TaskRecord): Promise<void>;
  /** One strongly consistent read. An expired record is not found, whether it was deleted or not. */
  get(ref: TaskRef): Promise<TaskRecord | undefined>;
  /** Forgets an answered question. Does nothing if it is gone or the task has ended. */
  clearInput(ref: TaskRef, key: string, at: string): Promise<void>;
  /** Ends the task. False if it had ended already: the first end stays. */
  close(ref: TaskRef, end: TaskEnd): Promise<boolean>;
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

/** What runs a task: one execution, named after the task, of the tool's state machine. */
export interface Workflows {
  /** The execution a task has or will have. Makes no call. */
  executionArn(tool: string, taskId: string): string;
  /** Starts the execution. The same task twice is one execution. */
  start(tool: string, input: ExecutionInput): Promise<void>;
  /** Stops the execution, if it is still running. */
  stop(executionArn: string, cause: string): Promise<void>;
  /** Hands an answer to the waiting state. A spent token counts as answered: the first answer won. */
  answer(token: string, output: unknown): Promise<void>;
}

import { JsonRpcResponseError, type TaskController } from '@modelcontextprotocol/ext-tasks/client';
import type { DetailedTaskV2, InputRequestsV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import type { Connection } from './connection.ts';
import type { Entry, Journal } from './journal.ts';
import { watch } from './watch.ts';

export type AnswerQuestion = (request: InputRequestsV2[string]) => Promise<unknown>;

export interface Run {
  connection: Connection;
  journal: Journal;
  tool: string;
  args: Record<string, unknown>;
  onQuestion: AnswerQuestion;
  onStatus?(task: DetailedTaskV2): void;
  /** Stops following. The task goes on, and the next run with this journal follows it again. */
  signal?: AbortSignal;
}

/**
 * Calls a tool and follows it to its end, however often the process dies on the way: run again with the same journal,
 * it goes on where it was.
 */
export const runTool = async (run: Run): Promise<NonNullable<Entry['outcome']>> => {
  const { connection, journal, tool, args, signal = new AbortController().signal } = run;
  const entry = (await journal.read()) ?? { tool, args, answers: {} };
  if (entry.outcome) return entry.outcome;
  if (!entry.task) await start(run, entry);
  if (!entry.outcome) {
    const task = connection.session.task(entry.task!.taskId);
    for await (const state of watch(connection, task, signal)) {
      run.onStatus?.(state);
      if (state.status === 'input_required') await answer(run, entry, task, state.inputRequests);
      else if (state.status !== 'working') await end(run, entry, state);
    }
  }
  return entry.outcome!;
};

/** A call is answered with a result or with a task, as the server likes (SEP-2663, Polymorphic Results). */
const start = async ({ connection, journal, tool, args }: Run, entry: Entry): Promise<void> => {
  const execution = await connection.session.callTool(tool, args as never);
  if (execution.kind === 'task') {
    // Before anything else: whoever does not know the id can neither follow the task nor cancel it. A crash before
    // this line leaves one that ends by itself; only the server can tell that a second call is the same one.
    await execution.handoff(async (reference) => {
      entry.task = reference;
      await journal.write(entry);
    });
    return;
  }
  const { outcome } = await execution.settle();
  entry.outcome = outcome.status === 'completed' ? { status: 'completed', result: outcome.result } : outcome;
  await journal.write(entry);
};

/** The same question comes with every poll until it is answered, and maybe once more after that. */
const answer = async (
  { journal, onQuestion }: Run,
  entry: Entry,
  task: TaskController,
  requests: InputRequestsV2,
): Promise<void> => {
  for (const [key, request] of Object.entries(requests)) {
    // Kept before it is sent: nobody is asked the same again because a process died.
    if (!entry.answers[key]) {
      entry.answers[key] = { response: await onQuestion(request), sent: false };
      await journal.write(entry);
    }
    // After a crash nobody knows whether it was sent. The server takes the first answer to a key and ignores others.
    if (entry.answers[key].sent) continue;
    await task.updateJson({ [key]: entry.answers[key].response });
    entry.answers[key].sent = true;
    await journal.write(entry);
  }
};

const end = async ({ journal }: Run, entry: Entry, state: DetailedTaskV2): Promise<void> => {
  entry.outcome = {
    status: state.status,
    ...(state.status === 'completed' ? { result: state.result } : {}),
    ...(state.status === 'failed' ? { error: state.error } : {}),
  };
  await journal.write(entry);
};

/**
 * Asks the server to cancel. That is a request: the task may still end otherwise, so go on following it, and do not
 * tell anybody that it is cancelled before its status says so.
 */
export const requestCancel = async ({
  connection,
  journal,
}: Pick<Run, 'connection' | 'journal'>): Promise<void> => {
  const entry = await journal.read();
  if (!entry?.task || entry.outcome) return;
  await connection.session.task(entry.task.taskId).cancel();
};

/** A task that the server has forgotten, because its time is over, cannot be followed any more. */
export const isForgotten = (error: unknown): boolean =>
  error instanceof JsonRpcResponseError && error.code === -32602;

import {
  CancelTaskResultV2Schema,
  CallToolResultV2Schema,
  CreateTaskResultV2Schema,
  GetTaskResultV2Schema,
} from '@modelcontextprotocol/ext-tasks/core/v2';
import {
  CallToolResultSchema,
  CancelTaskResultSchema,
  CreateTaskResultSchema,
  GetTaskResultSchema,
} from '@modelcontextprotocol/sdk/types.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of two protocols */

/** A JSON-RPC answer, with what came on the stream before it. */
export interface Answer {
  result?: any;
  error?: { code: number; message: string };
  before?: { method?: string; params?: any }[];
}

/** What a server of one revision answers, from the start of a task to its end. */
export interface Answers {
  /** To a call that becomes a task. */
  start: Answer;
  get: Answer;
  completed: Answer;
  /** To tasks/result of the completed task, where the client would ask for it. */
  result: Answer;
  toolError: Answer;
  question: Answer;
  /** To tasks/result of a task that asks, up to its question. */
  questionStream: Answer;
  cancel: Answer;
  /** To the cancellation of a task that has ended. */
  lateCancel: Answer;
  list: Answer;
  /** To tasks/get with the headers of 2025-11-25 only. */
  plainHeaders: Answer;
}

/** What a client makes of them. `undefined` is nothing, and an error of the reader is an error that somebody notices. */
export interface Reader {
  startOfTask(answers: Answers): string;
  startOfCall(answers: Answers): string;
  times(answers: Answers): unknown;
  result(answers: Answers): unknown;
  toolError(answers: Answers): string;
  question(answers: Answers): unknown;
  cancel(answers: Answers): string;
  lateCancel(answers: Answers): string;
  list(answers: Answers): string;
}

const resultOf = ({ result, error }: Answer): any => {
  if (error) throw new Error(`${error.code} ${error.message}`);
  return result;
};

/** Reads as clients of 2025-11-25 do, with the schemas of the v1 SDK: what they let through, it believes. */
export const reader2025: Reader = {
  startOfTask: ({ start }) => `task ${typeof CreateTaskResultSchema.parse(resultOf(start)).task.taskId}`,
  startOfCall: ({ start }) => {
    // It has not asked for a task, so it knows no other answer than a result.
    const { content, isError } = CallToolResultSchema.parse(resultOf(start));
    return `${isError ? 'error' : 'success'} with ${content.length} blocks`;
  },
  times: ({ get }) => {
    const { ttl, pollInterval } = GetTaskResultSchema.parse(resultOf(get));
    return { lifetime: ttl, poll: typeof pollInterval };
  },
  result: ({ completed, result }) =>
    GetTaskResultSchema.parse(resultOf(completed)).status === 'completed'
      ? (CallToolResultSchema.parse(resultOf(result)).content as any)[0]?.text
      : undefined,
  toolError: ({ toolError }) => (resultOf(toolError).status === 'failed' ? 'error' : 'success'),
  question: ({ question, questionStream }) => {
    if (resultOf(question).status !== 'input_required') return undefined;
    const asked = (questionStream.before ?? []).find(({ method }) => method === 'elicitation/create');
    return asked ? asked.params.message : resultOf(questionStream);
  },
  cancel: ({ cancel }) =>
    CancelTaskResultSchema.parse(resultOf(cancel)).status ? 'acknowledged' : 'nothing',
  lateCancel: ({ lateCancel }) =>
    lateCancel.error?.code === -32602 ? 'it had ended' : 'it is being cancelled',
  list: ({ list }) => `${resultOf(list).tasks.length} tasks`,
};

/** Reads as the extension wants it (SEP-2663), with the schemas of ext-tasks. */
export const reader2026: Reader = {
  startOfTask: ({ start }) => start2026(resultOf(start)),
  startOfCall: ({ start }) => start2026(resultOf(start)),
  times: ({ get }) => {
    const { ttlMs, pollIntervalMs } = GetTaskResultV2Schema.parse(resultOf(get));
    return { lifetime: ttlMs, poll: typeof pollIntervalMs };
  },
  result: ({ completed }) => {
    const task = GetTaskResultV2Schema.parse(resultOf(completed));
    return task.status === 'completed' ? (task.result as any).content[0].text : undefined;
  },
  toolError: ({ toolError }) => {
    const task = GetTaskResultV2Schema.parse(resultOf(toolError));
    return task.status === 'completed' && !task.result['isError'] ? 'success' : 'error';
  },
  question: ({ question }) => {
    const task = GetTaskResultV2Schema.parse(resultOf(question));
    return task.status === 'input_required'
      ? (Object.values(task.inputRequests)[0] as any).params.message
      : undefined;
  },
  cancel: ({ cancel }) => (CancelTaskResultV2Schema.parse(resultOf(cancel)) ? 'acknowledged' : 'nothing'),
  // It is acknowledged whatever has become of the task: only tasks/get tells.
  lateCancel: ({ lateCancel, completed }) => {
    CancelTaskResultV2Schema.parse(resultOf(lateCancel));
    return resultOf(completed).status === 'completed' ? 'it had ended' : 'it is being cancelled';
  },
  list: ({ list }) => `${resultOf(list).tasks.length} tasks`,
};

const start2026 = (result: any): string => {
  if (result.resultType === 'task') return `task ${typeof CreateTaskResultV2Schema.parse(result).taskId}`;
  const { content, isError } = CallToolResultV2Schema.parse(result) as {
    content: unknown[];
    isError?: boolean;
  };
  return `${isError ? 'error' : 'success'} with ${content.length} blocks`;
};

import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { answerInput, questionOf, responseTo } from './answer-question.ts';
import { defineSyncTool, type SyncHandler, type ToolTable } from './define-tool.ts';
import { InvalidParams } from './errors.ts';
import { givesHandles, LONGEST_WAIT_SECONDS, stateOf, taskState } from './handle.ts';
import { resultOf } from './task-result.ts';
import { openInputs, type TaskRecord } from './task.ts';
import type { Tasks } from './tasks.ts';
import { ToolError } from './tool-error.ts';
import { hasEnded, needsSomebody, watchTask } from './watch-task.ts';

const taskId = z.string().describe('As the tool that started the task gave it.');

/** For clients without tasks: tools that work on the tasks whose handles other tools gave. */
export const companionTools = {
  task_status: defineSyncTool({
    title: 'Status of a task',
    description:
      'Tells how a task is doing, what it asks, and when it is done its result. ' +
      'With waitSeconds it answers when the task has ended or asks something, or when that time is over.',
    inputSchema: z.object({
      taskId,
      waitSeconds: z.int().min(0).max(LONGEST_WAIT_SECONDS).default(0).describe('Seconds to wait.'),
    }),
    outputSchema: taskState.extend({
      questions: z
        .array(z.looseObject({ key: z.string(), kind: z.string() }))
        .optional()
        .describe('What the task asks; it waits for the answers of task_answer.'),
      result: z
        .unknown()
        .optional()
        .describe('The structured result of the tool, when the task is completed.'),
    }),
    annotations: { readOnlyHint: true },
  }),
  task_answer: defineSyncTool({
    title: 'Answer a task’s question',
    description:
      'Passes an answer to a question that task_status shows on to the task. ' +
      'The question is for the person you work for: put it to them, and do not answer in their name.',
    inputSchema: z.object({ taskId, key: z.string().describe('The question’s key.'), ...answerInput.shape }),
    outputSchema: taskState,
    annotations: { destructiveHint: true },
  }),
  task_cancel: defineSyncTool({
    title: 'Ask for a task to be cancelled',
    description:
      'Requests that a task be cancelled. What it has done by then stays done, and it may still come to another end: ' +
      'task_status tells.',
    inputSchema: z.object({ taskId }),
    outputSchema: taskState,
    annotations: { destructiveHint: true, idempotentHint: true },
  }),
} satisfies ToolTable;

/** The tools of a server as listed: its own in their order, then the companions, if a tool of its own needs them. */
export const withCompanions = (tools: ToolTable): ToolTable => {
  if (!Object.values(tools).some(givesHandles)) return tools;
  const taken = Object.keys(companionTools).find((name) => Object.hasOwn(tools, name));
  if (taken !== undefined) throw new Error(`The name ${taken} is taken: clients without tasks need it`);
  return { ...tools, ...companionTools };
};

type Handle = (args: never, task: TaskRecord, signal: AbortSignal) => Promise<CallToolResult>;

export const companionHandlers = (tasks: Tasks, tenant: string): Record<string, SyncHandler> => {
  /** Everything a companion has to say is for a model to read, an unknown id as well. */
  const serve =
    (handle: Handle): SyncHandler =>
    async (args, { mcpReq: { signal } }) => {
      try {
        return await handle(
          args as never,
          await tasks.get({ tenant, taskId: String(args['taskId']) }),
          signal,
        );
      } catch (error) {
        if (error instanceof InvalidParams) throw new ToolError(error.message);
        throw error;
      }
    };

  return {
    task_status: serve(async ({ waitSeconds }: { waitSeconds: number }, task, signal) =>
      told(await watchTask(tasks, task, needsSomebody, { ms: waitSeconds * 1_000, signal })),
    ),

    task_answer: serve(async ({ key, ...answer }: { key: string } & z.output<typeof answerInput>, task) => {
      const inputs = openInputs(task);
      const open = Object.hasOwn(inputs, key) ? inputs[key] : undefined;
      if (open === undefined) {
        const why = hasEnded(task)
          ? `It has ended: ${task.status}.`
          : 'It was answered before, or has another key.';
        return said(task, `The task ${task.taskId} does not wait for an answer to ${key}. ${why}`);
      }
      await tasks.update(task, { [key]: responseTo(open, answer) });
      return said(
        await tasks.get(task),
        `The answer was passed on to the task ${task.taskId}. task_status tells how it goes on.`,
      );
    }),

    task_cancel: serve(async (_, task) => {
      if (hasEnded(task)) {
        return said(
          task,
          `The task ${task.taskId} had ended before: ${task.status}. The request has no effect.`,
        );
      }
      await tasks.cancel(task);
      return said(
        await tasks.get(task),
        `Requested that the task ${task.taskId} be cancelled. It may still end otherwise; task_status tells how it did.`,
      );
    }),
  };
};

const said = (task: TaskRecord, text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: stateOf(task),
});

const told = (task: TaskRecord): CallToolResult => {
  const { taskId, tool } = task;
  const about = `The task ${taskId} (${tool})`;
  if (task.status === 'completed') {
    const { content = [], structuredContent, isError } = resultOf(task)!;
    return {
      content: [{ type: 'text', text: `${about} is completed. Its result:` }, ...content],
      structuredContent: {
        ...stateOf(task),
        ...(structuredContent === undefined ? {} : { result: structuredContent }),
      },
      ...(isError === undefined ? {} : { isError }),
    };
  }
  if (task.status === 'failed') {
    return {
      ...said(task, `${about} failed: ${task.statusMessage ?? 'no reason was given'}`),
      isError: true,
    };
  }
  if (task.status === 'cancelled') return said(task, `${about} was cancelled.`);

  const questions = Object.entries(openInputs(task)).map(([key, input]) => questionOf(key, input));
  const note = task.statusMessage === undefined ? '' : ` It says: ${task.statusMessage}`;
  if (questions.length === 0) return said(task, `${about} is working.${note}`);
  return {
    content: [
      {
        type: 'text',
        text:
          `${about} waits for ${questions.length === 1 ? 'an answer' : 'answers'}. Put it to the person you work for, ` +
          'then call task_answer with the key, an action (accept, decline or cancel) and, to accept, the content ' +
          `that the schema asks for:\n${questions.map((question) => JSON.stringify(question)).join('\n')}`,
      },
    ],
    structuredContent: { ...stateOf(task), questions },
  };
};

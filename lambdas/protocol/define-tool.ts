import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';

/** What a workflow may ask of the client while it runs. A caller that cannot answer is refused up front. */
export type Question = 'elicitation.form' | 'elicitation.url' | 'sampling';

interface Tool<Input extends z.ZodObject, Output extends z.ZodType> {
  title: string;
  description: string;
  inputSchema: Input;
  /** Describes `structuredContent`. Leave it out for tools that answer in words only. */
  outputSchema?: Output;
  annotations?: ToolAnnotations;
  /**
   * Its code asks before it answers (`inputRequired`) and keeps state between those rounds. The state goes through
   * the client, so it is sealed, with a key that the stack makes only when a tool says this.
   */
  requestState?: boolean;
}

/** A tool that answers within the request. Its code is a line in `tools/handlers.ts`. */
export interface SyncTool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> extends Tool<Input, Output> {
  kind: 'sync';
}

/** A tool that runs as a Step Functions workflow. Its graph is a line in `tools/workflows.ts`. */
export interface TaskTool<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> extends Tool<Input, Output> {
  kind: 'task';
  /**
   * Lifetime of a task in milliseconds from its creation. What still runs then is stopped, and the record is gone some
   * time later (setting `taskRetentionMinutes`). null is unlimited, which Step Functions takes for a year.
   */
  ttlMs: number | null;
  /** The longest lifetime to which `kit.extend` may extend one; the execution may run as long. Default: `ttlMs`. */
  maxTtlMs?: number;
  /** Suggested polling interval in milliseconds for a young task; it grows with the task's age. */
  pollIntervalMs: number;
  /** Everything the workflow's `ask` states may ask. */
  asks: readonly Question[];
  /**
   * `stop`, the default, ends the execution where it is. `cooperative` asks it to end: open questions and the next
   * write fail with `TaskCancelled`, what `kit.onCancel` gives undoes the work, and only then the task is cancelled.
   */
  cancel?: 'stop' | 'cooperative';
  /**
   * The business key of a call. As long as a caller's task with the same key can be read, calling again returns it
   * and starts nothing; other arguments under the same key are an error.
   */
  idempotencyKey?(args: z.output<Input>): string;
  /**
   * What a client gets that does not have the Tasks extension. `handle`, the default: a result that tells the model the
   * task's id and how to go on, with the tools task_status, task_answer and task_cancel. `wait`: the tool's own result,
   * if the task is done within the request's time. `refuse`: an error that names the extension.
   */
  withoutTasks?: 'handle' | 'wait' | 'refuse';
  /** For `wait`: what happens to a task that is not done in time. `stop` ends it and says so; `handle` is the default. */
  notDoneInTime?: 'handle' | 'stop';
}

export type AnyTool = SyncTool | TaskTool;
export type ToolTable = Record<string, AnyTool>;

export type TaskToolName<Tools extends ToolTable> = {
  [Name in keyof Tools & string]: Tools[Name]['kind'] extends 'task' ? Name : never;
}[keyof Tools & string];

export type SyncToolName<Tools extends ToolTable> = {
  [Name in keyof Tools & string]: Tools[Name]['kind'] extends 'sync' ? Name : never;
}[keyof Tools & string];

type Code<Arguments, Answer> = (args: Arguments, context: ServerContext) => Answer | Promise<Answer>;

/**
 * Code of a synchronous tool: validated arguments in, a tool result out, or `inputRequired(…)` to ask first: the client
 * calls again with the answers in `context.mcpReq.inputResponses`. Throw `ToolError` for what the caller should read.
 */
export type SyncHandler<Arguments = Record<string, unknown>> = Code<
  Arguments,
  CallToolResult | InputRequiredResult
>;

/** Go ahead: start the task with these arguments. The workflow finds them at `$.arguments`. */
export class StartTask {
  constructor(readonly args: Record<string, unknown>) {}
}

/**
 * Code of a task tool that runs before its task exists: it may ask (`inputRequired(…)`), answer without a task, or
 * go ahead. What must be asked while the task runs is for the workflow's `ask`.
 */
export type BeforeTask<Arguments = Record<string, unknown>> = Code<
  Arguments,
  CallToolResult | InputRequiredResult | StartTask
>;

/** One handler per synchronous tool of the table; a forgotten one does not compile. Task tools may have one. */
export type ToolHandlers<Tools extends ToolTable> = {
  [Name in SyncToolName<Tools>]: SyncHandler<z.output<Tools[Name]['inputSchema']>>;
} & {
  [Name in TaskToolName<Tools>]?: BeforeTask<z.output<Tools[Name]['inputSchema']>>;
};

export const defineSyncTool = <Input extends z.ZodObject, Output extends z.ZodType>(
  tool: Omit<SyncTool<Input, Output>, 'kind'>,
): SyncTool<Input, Output> => ({ kind: 'sync', ...tool });

export const defineTaskTool = <Input extends z.ZodObject, Output extends z.ZodType>(
  tool: Omit<TaskTool<Input, Output>, 'kind'>,
): TaskTool<Input, Output> => {
  if (tool.withoutTasks === 'wait' && tool.asks.length > 0 && !tool.requestState) {
    throw new Error(
      `${tool.title}: its questions go to clients in rounds, which takes \`requestState: true\` in its manifest`,
    );
  }
  return { kind: 'task', ...tool };
};

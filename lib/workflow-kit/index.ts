import { Stack, Validations, type CfnElement } from 'aws-cdk-lib';
import type { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Fail, JsonPath, type IChainable, type TaskStateBase } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { TaskTool, TaskToolName, ToolTable } from '../../lambdas/protocol/define-tool.ts';
import type { LargeResults } from '../large-results.ts';
import { NodeFunction } from '../node-function.ts';
import { Ask, type AskProps } from './ask.ts';
import { RunStep, type RunStepProps } from './run-step.ts';
import { TASK_IS_CANCELLED, writeRecord } from './task-record.ts';
import { ToolResult, type ToolResultProps } from './tool-result.ts';

export { format } from './format.ts';
export { form, sampling, url } from './question.ts';

/** A tool's graph: any states of Step Functions, and those of the kit among them. State data start as `{ task, arguments }`. */
export type Workflow = (kit: WorkflowKit) => IChainable;

/** One workflow per task tool of the table; a forgotten one does not compile. */
export type WorkflowTable<Tools extends ToolTable> = Record<TaskToolName<Tools>, Workflow>;

export interface StepProps extends RunStepProps {
  /** Path of the handler's source file. */
  entry: string;
  environment?: Record<string, string>;
  /** Lets the step ask `cancelRequested(task)`: for one that works for minutes and could stop halfway. */
  seesCancel?: boolean;
  /** The step ends the workflow with `storeResult(task, result)`, and its result may be of any size. */
  largeResult?: boolean;
  /** How long one run of the step may take, 29 seconds by default and 15 minutes at most. */
  timeout?: Duration;
  /** MB, 512 by default. */
  memorySize?: number;
}

/** What the kit needs to know of the tool. */
export type ToolOfKit = Pick<TaskTool, 'asks' | 'cancel' | 'ttlMs' | 'maxTtlMs'>;

/** What a workflow needs beyond plain CDK: states that report, ask, run a Lambda step, and give the result. */
export class WorkflowKit {
  constructor(
    /** Where to put further constructs of the tool: tables, queues, functions. */
    readonly scope: Construct,
    private readonly taskTable: ITable,
    private readonly largeResults: LargeResults,
    private readonly tool: ToolOfKit,
    private readonly isUndoing = false,
  ) {}

  /** What undoes the work of a task that is cancelled cooperatively; its states get `{ task, arguments }`. */
  undo?: IChainable;
  /** Whether a step may end the workflow with a stored result. */
  storesResults = false;

  /** Once a cooperative cancel is asked for, the workflow's next write is where it learns of it. */
  private get cancelIs(): 'absent' | undefined {
    return this.tool.cancel === 'cooperative' && !this.isUndoing ? 'absent' : undefined;
  }

  /** Tells whoever polls what is going on. @param message a text or a `format(…)`; the state's name by default. */
  progress(state: string, message: string = state): TaskStateBase {
    return writeRecord(this.scope, state, this.taskTable, {
      comment: 'Progress for whoever polls the task.',
      set: { statusMessage: { S: message } },
      cancelIs: this.cancelIs,
    });
  }

  /** Asks the client and waits. @throws at synthesis when the tool's manifest does not announce such questions. */
  ask(name: string, props: AskProps): Ask {
    if (this.isUndoing) throw new Error(`${name}: a cancelled task cannot ask`);
    const { asks, ttlMs, maxTtlMs = ttlMs } = this.tool;
    if (!asks.includes(props.question.kind)) {
      throw new Error(`${name} asks for ${props.question.kind}: add it to \`asks\` in the tool's manifest`);
    }
    if (ttlMs !== null && props.timeout.toMilliseconds() > (maxTtlMs ?? ttlMs)) {
      throw new Error(
        `${name} waits longer than the task lives: shorten its timeout or raise the tool's ttlMs`,
      );
    }
    return new Ask(this.scope, name, this.taskTable, { ...props, cancelIs: this.cancelIs });
  }

  /** Gives the task more time. @param lifetime in all, counted from its creation; up to the manifest's `maxTtlMs`. */
  extend(state: string, lifetime: Duration): TaskStateBase {
    const { ttlMs, maxTtlMs } = this.tool;
    const extended = lifetime.toMilliseconds();
    if (ttlMs === null || maxTtlMs === undefined || extended > maxTtlMs || extended < ttlMs) {
      throw new Error(`${state}: a task is extended from its tool's ttlMs up to its maxTtlMs`);
    }
    const expiry = JsonPath.mathAdd(
      JsonPath.numberAt('$$.Execution.Input.task.expiresAt'),
      Math.ceil((extended - ttlMs) / 1000),
    );
    return writeRecord(this.scope, state, this.taskTable, {
      comment: 'The record lives longer; the execution may anyway.',
      set: { ttlMs: { N: String(extended) }, expiresAt: { N: JsonPath.format('{}', String(expiry)) } },
      cancelIs: this.cancelIs,
    });
  }

  /**
   * What to do before a task of a tool with `cancel: 'cooperative'` is cancelled. It gets what the task was started
   * with, not what the states have computed since; the steps find the rest by the task id. If it fails, so does the
   * task.
   */
  onCancel(undo: Workflow): void {
    if (this.tool.cancel !== 'cooperative') {
      throw new Error("onCancel: say cancel: 'cooperative' in the tool's manifest");
    }
    this.undo = undo(new WorkflowKit(this.scope, this.taskTable, this.largeResults, this.tool, true));
  }

  /** Ends the workflow as cancelled: for one that finds out by itself that it shall stop. */
  cancelled(state: string): Fail {
    return new Fail(this.scope, state, { error: TASK_IS_CANCELLED, cause: 'The caller cancelled the task.' });
  }

  /** Runs a Lambda step. Its function is at `.handler`, to grant it what it needs. */
  run(
    state: string,
    { entry, environment, timeout, memorySize, seesCancel, largeResult, ...props }: StepProps,
  ): RunStep & { handler: NodejsFunction } {
    const handler = new NodeFunction(this.scope, `${state} function`, {
      entry,
      environment,
      ...(timeout && { timeout }),
      ...(memorySize && { memorySize }),
    });
    const name = Stack.of(handler).getLogicalId(handler.node.defaultChild as CfnElement);
    Validations.of(this.scope).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${name}.Arn>:*]`,
      reason: 'The CDK lets a state machine call every version of the functions of its own steps.',
    });
    if (largeResult) {
      this.storesResults = true;
      this.largeResults.writtenBy(handler);
    }
    if (seesCancel) {
      this.taskTable.grant(handler, 'dynamodb:GetItem');
      handler.addEnvironment('TASK_TABLE', this.taskTable.tableName);
    }
    return new RunStep(this.scope, state, handler, props) as RunStep & { handler: NodejsFunction };
  }

  /** Ends the workflow with a tool result. */
  result(state: string, props: ToolResultProps): ToolResult {
    return new ToolResult(this.scope, state, props);
  }
}

import { Stack, Validations, type CfnElement } from 'aws-cdk-lib';
import type { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { IChainable, TaskStateBase } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { TaskTool, TaskToolName, ToolTable } from '../../lambdas/protocol/define-tool.ts';
import { NodeFunction } from '../node-function.ts';
import { Ask, type AskProps } from './ask.ts';
import { RunStep, type RunStepProps } from './run-step.ts';
import { writeRecord } from './task-record.ts';
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
  /** How long one run of the step may take, 29 seconds by default and 15 minutes at most. */
  timeout?: Duration;
  /** MB, 512 by default. */
  memorySize?: number;
}

/** What a workflow needs beyond plain CDK: states that report, ask, run a Lambda step, and give the result. */
export class WorkflowKit {
  constructor(
    /** Where to put further constructs of the tool: tables, queues, functions. */
    readonly scope: Construct,
    private readonly taskTable: ITable,
    private readonly tool: Pick<TaskTool, 'asks' | 'ttlMs'>,
  ) {}

  /** Tells whoever polls what is going on. @param message a text or a `format(…)`; the state's name by default. */
  progress(state: string, message: string = state): TaskStateBase {
    return writeRecord(this.scope, state, this.taskTable, {
      comment: 'Progress for whoever polls the task.',
      set: { statusMessage: { S: message } },
    });
  }

  /** Asks the client and waits. @throws at synthesis when the tool's manifest does not announce such questions. */
  ask(name: string, props: AskProps): Ask {
    const { asks, ttlMs } = this.tool;
    if (!asks.includes(props.question.kind)) {
      throw new Error(`${name} asks for ${props.question.kind}: add it to \`asks\` in the tool's manifest`);
    }
    if (props.timeout.toMilliseconds() > ttlMs) {
      throw new Error(
        `${name} waits longer than the task lives: shorten its timeout or raise the tool's ttlMs`,
      );
    }
    return new Ask(this.scope, name, this.taskTable, props);
  }

  /** Runs a Lambda step. Its function is at `.handler`, to grant it what it needs. */
  run(
    state: string,
    { entry, environment, timeout, memorySize, ...props }: StepProps,
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
    return new RunStep(this.scope, state, handler, props) as RunStep & { handler: NodejsFunction };
  }

  /** Ends the workflow with a tool result. */
  result(state: string, props: ToolResultProps): ToolResult {
    return new ToolResult(this.scope, state, props);
  }
}

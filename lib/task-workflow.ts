import { CfnOutput, Duration, Validations } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import {
  CustomerManagedEncryptionConfiguration,
  DefinitionBody,
  LogLevel,
  StateMachine,
  StateMachineType,
  type IChainable,
} from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { TaskTool } from '../lambdas/protocol/define-tool.ts';
import { closeTask } from './close-task.ts';
import { consoleLink } from './console-link.ts';
import { encryptionKeyOf, useEncryptionKey } from './edge/encryption-key.ts';
import type { LargeResults } from './large-results.ts';
import { settingsOf } from './settings.ts';
import { WorkflowKit, type Workflow } from './workflow-kit/index.ts';

export interface TaskWorkflowProps {
  tool: TaskTool;
  workflow: Workflow;
  taskTable: ITable;
  largeResults: LargeResults;
}

/** The state machine of one task tool: the author's chain, wrapped so that every end of it closes the record. */
export class TaskWorkflow extends Construct {
  readonly stateMachine: StateMachine;

  constructor(
    scope: Construct,
    toolName: string,
    { tool, workflow, taskTable, largeResults }: TaskWorkflowProps,
  ) {
    super(scope, toolName);
    const { logRetention, dataRemoval } = settingsOf(this);
    const encryptionKey = encryptionKeyOf(this);
    const kit = new WorkflowKit(this, taskTable, largeResults, tool);
    const chain: IChainable = workflow(kit);

    this.stateMachine = new StateMachine(this, 'StateMachine', {
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromChainable(
        closeTask(this, {
          toolName,
          tool,
          chain,
          undo: kit.undo,
          storesResults: kit.storesResults,
          table: taskTable,
        }),
      ),
      timeout: longestRun(tool),
      tracingEnabled: true,
      encryptionConfiguration: encryptionKey && new CustomerManagedEncryptionConfiguration(encryptionKey),
      logs: {
        destination: new LogGroup(this, 'Logs', {
          retention: logRetention,
          removalPolicy: dataRemoval,
          encryptionKey,
        }),
        level: LogLevel.ALL,
        // Arguments, answers and results stay out of the logs; the console shows them to who may see executions.
        includeExecutionData: false,
      },
    });
    useEncryptionKey(this.stateMachine);
    Validations.of(this.stateMachine).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'Log delivery and tracing: neither CloudWatch Logs nor X-Ray has resources to name for them.',
    });
    new CfnOutput(this, 'Console', {
      value: consoleLink(this.stateMachine),
      description: `Tasks of ${toolName}: an execution has the name of its task.`,
    });
  }
}

/** Step Functions runs nothing for longer than a year. */
const LONGEST_RUN = Duration.days(365);

/** The execution ends with its task, or where a task may be extended with the longest it can become. */
const longestRun = ({ ttlMs, maxTtlMs = 0 }: TaskTool): Duration => {
  if (ttlMs === null) return LONGEST_RUN;
  const longest = Duration.seconds(Math.ceil(Math.max(ttlMs, maxTtlMs) / 1000));
  if (longest.toSeconds() <= LONGEST_RUN.toSeconds()) return longest;
  throw new Error('A task lives for at most a year; ttlMs: null says so');
};

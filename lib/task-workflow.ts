import { CfnOutput, Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import {
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
import { settingsOf } from './settings.ts';
import { WorkflowKit, type Workflow } from './workflow-kit/index.ts';

export interface TaskWorkflowProps {
  tool: TaskTool;
  workflow: Workflow;
  taskTable: ITable;
}

/** The state machine of one task tool: the author's chain, wrapped so that every end of it closes the record. */
export class TaskWorkflow extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, toolName: string, { tool, workflow, taskTable }: TaskWorkflowProps) {
    super(scope, toolName);
    const { logRetention, dataRemoval } = settingsOf(this);
    const kit = new WorkflowKit(this, taskTable, tool);
    const chain: IChainable = workflow(kit);

    this.stateMachine = new StateMachine(this, 'StateMachine', {
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromChainable(closeTask(this, toolName, chain, taskTable)),
      timeout: Duration.millis(tool.ttlMs),
      tracingEnabled: true,
      logs: {
        destination: new LogGroup(this, 'Logs', { retention: logRetention, removalPolicy: dataRemoval }),
        level: LogLevel.ALL,
        // Arguments, answers and results stay out of the logs; the console shows them to who may see executions.
        includeExecutionData: false,
      },
    });
    new CfnOutput(this, 'Console', {
      value: consoleLink(this.stateMachine),
      description: `Tasks of ${toolName}: an execution has the name of its task.`,
    });
  }
}

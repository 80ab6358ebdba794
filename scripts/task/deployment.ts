import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DescribeExecutionCommand, ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { outputOf, stackOutputs } from '../stack-outputs.ts';

/** Where the tasks are: a stack on AWS, or everything that a local endpoint has. */
export interface Deployment {
  documents: DynamoDBDocumentClient;
  stepFunctions: SFNClient;
  taskTable: string;
  stateMachineArns: string[];
}

export const deploymentOf = async (stack: string | undefined): Promise<Deployment> => {
  const dynamoDb = new DynamoDBClient();
  const stepFunctions = new SFNClient();
  const clients = { documents: DynamoDBDocumentClient.from(dynamoDb), stepFunctions };
  if (stack !== undefined) {
    const outputs = await stackOutputs(stack);
    const links = Object.values(outputs).map((value) => /#\/statemachines\/view\/(arn:.+)$/.exec(value)?.[1]);
    return {
      ...clients,
      taskTable: outputOf(outputs, 'TaskTable'),
      stateMachineArns: links.filter((arn) => arn !== undefined),
    };
  }
  const { TableNames = [] } = await dynamoDb.send(new ListTablesCommand());
  const { stateMachines = [] } = await stepFunctions.send(new ListStateMachinesCommand());
  const taskTable = TableNames.find((name) => /^(.*-)?Tasks[0-9A-F]{8}/.test(name));
  if (taskTable === undefined) throw new Error('There is no table of tasks at this endpoint.');
  return {
    ...clients,
    taskTable,
    stateMachineArns: stateMachines.map(({ stateMachineArn }) => stateMachineArn!),
  };
};

/**
 * The execution of a task, by its id alone: one DescribeExecution per state machine, and no scan.
 * @throws a sentence when no state machine has it
 */
export const executionOf = async ({ stepFunctions, stateMachineArns }: Deployment, taskId: string) => {
  for (const stateMachineArn of stateMachineArns) {
    const executionArn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${taskId}`;
    try {
      return await stepFunctions.send(new DescribeExecutionCommand({ executionArn }));
    } catch (error) {
      const { name } = error as Error;
      if (name !== 'ExecutionDoesNotExist' && name !== 'InvalidArn') throw error;
    }
  }
  throw new Error(
    `No execution is called ${taskId}. Is it the right stack and region? ` +
      'Step Functions forgets executions 90 days after their end.',
  );
};

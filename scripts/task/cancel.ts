import { dynamoTaskStore } from '../../lambdas/aws/dynamo-task-store.ts';
import { stepFunctionsWorkflows } from '../../lambdas/aws/step-functions-workflows.ts';
import { executionOf, type Deployment } from './deployment.ts';
import { recordOf } from './show.ts';

/** What tasks/cancel does, in the same order, for an operator: stop the execution, then close the record. */
export const cancel = async (deployment: Deployment, taskId: string): Promise<string[]> => {
  const { executionArn, input } = await executionOf(deployment, taskId);
  await stepFunctionsWorkflows({}).stop(executionArn!, 'Cancelled');
  const record = await recordOf(deployment, input);
  const closed =
    record !== undefined &&
    (await dynamoTaskStore(deployment.documents, deployment.taskTable).close(record, {
      status: 'cancelled',
      statusMessage: 'Cancelled by an operator.',
      lastUpdatedAt: new Date().toISOString(),
    }));
  return [closed ? `${taskId} is cancelled.` : `${taskId} had ended before.`];
};

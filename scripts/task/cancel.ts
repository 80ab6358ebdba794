import { dynamoTaskStore } from '../../lambdas/aws/dynamo-task-store.ts';
import { stepFunctionsWorkflows } from '../../lambdas/aws/step-functions-workflows.ts';
import { executionOf, type Deployment } from './deployment.ts';
import { recordOf } from './show.ts';

/** What tasks/cancel does, in the same order, for an operator: stop the execution, then close the record. */
export const cancel = async (deployment: Deployment, taskId: string): Promise<string[]> => {
  const { executionArn, input } = await executionOf(deployment, taskId);
  const record = await recordOf(deployment, input);
  await stepFunctionsWorkflows({}).stop(executionArn!, 'Cancelled');
  if (record?.status !== 'working') return [`${taskId} had ended before.`];
  const closed = await dynamoTaskStore(deployment.documents, deployment.taskTable).close(record, {
    status: 'cancelled',
    statusMessage: 'Cancelled by an operator.',
    lastUpdatedAt: new Date().toISOString(),
  });
  // The reconciler hears of the stop as well, and may have been faster; or the task came to its end.
  const end = closed ? 'cancelled' : (await recordOf(deployment, input))?.status;
  return [end === 'cancelled' ? `${taskId} is cancelled.` : `${taskId} had ended before.`];
};

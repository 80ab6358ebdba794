import { paginateGetExecutionHistory, type HistoryEvent } from '@aws-sdk/client-sfn';
import { executionOf, type Deployment } from './deployment.ts';

/** What the execution did: the states that it entered, and every error with its cause. */
export const history = async (deployment: Deployment, taskId: string): Promise<string[]> => {
  const { executionArn } = await executionOf(deployment, taskId);
  const { stepFunctions: client } = deployment;
  const lines: string[] = [];
  for await (const { events = [] } of paginateGetExecutionHistory({ client }, { executionArn })) {
    lines.push(...events.flatMap(describe));
  }
  return lines;
};

const describe = (event: HistoryEvent): string[] => {
  const at = event.timestamp?.toISOString();
  const state = event.stateEnteredEventDetails?.name;
  if (state !== undefined) return [`${at}  ${state}`];
  const details = Object.values(event).find(
    (value): value is { error?: string; cause?: string } =>
      typeof value === 'object' && value !== null && ('error' in value || 'cause' in value),
  );
  return details ? [`${at}    ${event.type}: ${details.error ?? ''} ${details.cause ?? ''}`.trimEnd()] : [];
};

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ExecutionInput } from '../protocol/ports.ts';

let documents: Promise<DynamoDBDocumentClient> | undefined;

/**
 * Whether the caller has asked for the task to end (a tool with `cancel: 'cooperative'`), or it has ended. For a step
 * that works for minutes and can stop halfway; made with `kit.run(…, { seesCancel: true })`.
 */
export const cancelRequested = async ({ key }: ExecutionInput['task']): Promise<boolean> => {
  const { TASK_TABLE } = process.env;
  if (TASK_TABLE === undefined) throw new Error('This step was not made with seesCancel');
  documents ??= import('../aws/documents.ts').then(({ documentClient }) => documentClient());
  const { GetCommand } = await import('@aws-sdk/lib-dynamodb');
  const { Item } = await (
    await documents
  ).send(
    new GetCommand({
      TableName: TASK_TABLE,
      Key: { pk: key },
      ConsistentRead: true,
      ProjectionExpression: 'cancelRequestedAt, #status',
      ExpressionAttributeNames: { '#status': 'status' },
    }),
  );
  return Item?.['status'] !== 'working' || Item['cancelRequestedAt'] !== undefined;
};

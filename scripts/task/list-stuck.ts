import { paginateScan } from '@aws-sdk/lib-dynamodb';
import type { TaskRecord } from '../../lambdas/protocol/task.ts';
import { age } from './age.ts';
import type { Deployment } from './deployment.ts';

/**
 * Working tasks that wait for an answer or have not moved for long, the longest first. There is no index of them
 * (every write of every task would pay for it), so this reads the whole table, and says what that took.
 */
export const listStuck = async (
  { documents, taskTable }: Deployment,
  olderThanMinutes: number,
): Promise<string[]> => {
  const found: TaskRecord[] = [];
  let read = 0;
  let units = 0;
  const pages = paginateScan(
    { client: documents },
    {
      TableName: taskTable,
      FilterExpression: '#status = :working',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':working': 'working' },
      ReturnConsumedCapacity: 'TOTAL',
    },
  );
  for await (const { Items = [], ScannedCount = 0, ConsumedCapacity } of pages) {
    found.push(...(Items as TaskRecord[]));
    read += ScannedCount;
    units += ConsumedCapacity?.CapacityUnits ?? 0;
  }
  const limit = Date.now() - olderThanMinutes * 60_000;
  const stuck = found
    .filter(
      ({ inputs, lastUpdatedAt }) => Object.keys(inputs).length > 0 || Date.parse(lastUpdatedAt) < limit,
    )
    .sort((a, b) => a.lastUpdatedAt.localeCompare(b.lastUpdatedAt));
  return [
    ...stuck.map(describe),
    `${stuck.length} stuck of ${found.length} working. Read ${read} records, ${units} read units.`,
  ];
};

const describe = ({ taskId, tool, inputs, lastUpdatedAt, statusMessage }: TaskRecord): string => {
  const questions = Object.keys(inputs);
  const why = questions.length > 0 ? `waits for ${questions.join(', ')}` : (statusMessage ?? 'working');
  return `${taskId}  ${tool}  ${age(lastUpdatedAt)}  ${why}`;
};

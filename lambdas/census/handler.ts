import { Logger } from '@aws-lambda-powertools/logger';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { documentClient } from '../aws/documents.ts';
import { taskMetrics } from '../aws/task-metrics.ts';
import type { TaskRecord } from '../protocol/task.ts';
import { census } from './census.ts';
import { censusEnvironment } from './environment.ts';

const { TASK_TABLE: TableName } = censusEnvironment.parse(process.env);
const client = documentClient();
const log = new Logger({ serviceName: 'census' });
const metrics = taskMetrics();

/** Reads the whole table, since no index of open questions exists that every write of every task would pay for. */
export const handler = async (): Promise<void> => {
  const working: TaskRecord[] = [];
  const pages = paginateScan(
    { client },
    {
      TableName,
      FilterExpression: '#status = :working AND attribute_exists(inputs)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':working': 'working' },
    },
  );
  for await (const { Items = [] } of pages) working.push(...(Items as TaskRecord[]));
  for (const [tool, { count, oldestAt, taskId }] of census(working)) {
    metrics.census(tool, count, Date.now() - oldestAt);
    log.info('Open questions', { tool, count, oldest: new Date(oldestAt).toISOString(), taskId });
  }
};

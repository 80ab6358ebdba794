import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Change, CustomerRecord } from '../migrations.ts';

const { RECORDS_TABLE: TableName } = z.object({ RECORDS_TABLE: z.string() }).parse(process.env);
const client = DynamoDBDocumentClient.from(new DynamoDBClient());

/** One page of records after `cursor` (the last id of the page before), in the table's own order. */
export const readPage = async (
  cursor: string | null,
  limit?: number,
): Promise<{ records: CustomerRecord[]; next: string | null }> => {
  const { Items = [], LastEvaluatedKey } = await client.send(
    new ScanCommand({
      TableName,
      Limit: limit,
      ExclusiveStartKey: cursor === null ? undefined : { id: cursor },
    }),
  );
  return {
    records: Items as CustomerRecord[],
    next: (LastEvaluatedKey?.['id'] as string | undefined) ?? null,
  };
};

/**
 * Writes one change, unless somebody else changed the record since it was read: then it is left for the next run.
 * @returns whether it was written.
 */
export const writeChange = async (record: CustomerRecord, change: Change): Promise<boolean> => {
  const unchanged = {
    ConditionExpression: 'version = :version',
    ExpressionAttributeValues: { ':version': record.version },
  };
  try {
    if (change.action === 'delete') {
      await client.send(new DeleteCommand({ TableName, Key: { id: record.id }, ...unchanged }));
    }
    if (change.action === 'update') {
      await client.send(new PutCommand({ TableName, Item: change.record, ...unchanged }));
    }
    return change.action !== 'keep';
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};

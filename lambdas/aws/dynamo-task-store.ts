import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, UpdateCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TaskStore } from '../protocol/ports.ts';
import { expiresAt, type TaskRecord } from '../protocol/task.ts';
import { partitionKey } from '../protocol/tasks.ts';

/** A record as the table holds it: the workflows write the same attributes (lib/workflow-kit/task-record.ts). */
type Item = TaskRecord & { pk: string; expiresAt?: number };

const isExpired = (item: Item): boolean =>
  item.expiresAt !== undefined && item.expiresAt <= Date.now() / 1000;

/** The one failure each conditional write expects: somebody else was first. Everything else passes. */
const unlessConditionFailed = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};

export const dynamoTaskStore = (client: DynamoDBDocumentClient, tableName: string): TaskStore => ({
  async create(task) {
    const item: Item = { pk: partitionKey(task), expiresAt: expiresAt(task), ...task };
    await client.send(
      new PutCommand({ TableName: tableName, Item: item, ConditionExpression: 'attribute_not_exists(pk)' }),
    );
  },

  async get(ref) {
    const { Item: found } = await client.send(
      new GetCommand({ TableName: tableName, Key: { pk: partitionKey(ref) }, ConsistentRead: true }),
    );
    const item = found as Item | undefined;
    return item === undefined || isExpired(item) ? undefined : item;
  },

  async clearInput(ref, key, at) {
    await unlessConditionFailed(
      client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: { pk: partitionKey(ref) },
          UpdateExpression: 'REMOVE inputs.#key SET lastUpdatedAt = :at',
          ConditionExpression: '#status = :working AND attribute_exists(inputs.#key)',
          ExpressionAttributeNames: { '#key': key, '#status': 'status' },
          ExpressionAttributeValues: { ':at': at, ':working': 'working' },
        }),
      ),
    );
  },

  async close(ref, { status, statusMessage, lastUpdatedAt, result, error }) {
    const written = Object.entries({ status, statusMessage, lastUpdatedAt, result, error }).filter(
      ([, value]) => value !== undefined,
    );
    return unlessConditionFailed(
      client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: { pk: partitionKey(ref) },
          UpdateExpression: `SET inputs = :none, ${written.map(([name]) => `#${name} = :${name}`).join(', ')}`,
          ConditionExpression: '#status = :working',
          ExpressionAttributeNames: Object.fromEntries(written.map(([name]) => [`#${name}`, name])),
          ExpressionAttributeValues: {
            ':none': {},
            ':working': 'working',
            ...Object.fromEntries(written.map(([name, value]) => [`:${name}`, value])),
          },
        }),
      ),
    );
  },
});

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  GetCommand,
  PutCommand,
  UpdateCommand,
  type DynamoDBDocumentClient,
  type UpdateCommandInput,
  type UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import type { Claim, TaskEnd, TaskStore } from '../protocol/ports.ts';
import { partitionKey, type TaskRecord, type TaskRef } from '../protocol/task.ts';
import type { ReadResult } from './large-results.ts';
import { within } from './limits.ts';

/** A record as the table holds it: the workflows write the same attributes (lib/workflow-kit/task-record.ts). */
type Item = TaskRecord & { pk: string };

const isExpired = ({ expiresAt }: { expiresAt?: number }): boolean =>
  expiresAt !== undefined && expiresAt <= Date.now() / 1000;

/** The one failure each conditional write expects: somebody else was first. Everything else passes. */
const unlessConditionFailed = async <T>(write: Promise<T>): Promise<T | undefined> => {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};

const WORKING = '#status = :working';

interface RecordUpdate extends Pick<UpdateCommandInput, 'UpdateExpression' | 'ReturnValues'> {
  /** What must hold beside it. */
  condition?: string | undefined;
  names?: Record<string, string>;
  values: Record<string, unknown>;
}

/** No task id contains a second `#`, so no caller can name a claim as a task. */
const claimKey = ({ tenant, key }: Pick<Claim, 'tenant' | 'key'>): string => `${tenant}#claim#${key}`;

/** @param readResult fetches results that are too large for a record; whoever reads no records needs none. */
export const dynamoTaskStore = (
  client: DynamoDBDocumentClient,
  tableName: string,
  readResult?: ReadResult,
): TaskStore => {
  const read = async (pk: string): Promise<Record<string, unknown> | undefined> => {
    const { Item: found } = await client.send(
      new GetCommand({ TableName: tableName, Key: { pk }, ConsistentRead: true }),
      within(),
    );
    return found === undefined || isExpired(found) ? undefined : found;
  };

  /** Every write after the first holds while the task works. @returns undefined if its condition does not hold */
  const update = (
    ref: TaskRef,
    { UpdateExpression, condition, names, values, ...more }: RecordUpdate,
  ): Promise<UpdateCommandOutput | undefined> =>
    unlessConditionFailed(
      client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: { pk: partitionKey(ref) },
          UpdateExpression,
          ConditionExpression: condition === undefined ? WORKING : `${WORKING} AND ${condition}`,
          ExpressionAttributeNames: { '#status': 'status', ...names },
          ExpressionAttributeValues: { ':working': 'working', ...values },
          ...more,
        }),
        within(),
      ),
    );

  const close = async (
    ref: TaskRef,
    { status, statusMessage, lastUpdatedAt, result, error }: TaskEnd,
    condition?: string,
  ): Promise<boolean> => {
    const written = Object.entries({ status, statusMessage, lastUpdatedAt, result, error }).filter(
      ([, value]) => value !== undefined,
    );
    const updated = await update(ref, {
      UpdateExpression: `SET inputs = :none, ${written.map(([name]) => `#${name} = :${name}`).join(', ')}`,
      condition,
      names: Object.fromEntries(written.map(([name]) => [`#${name}`, name])),
      values: { ':none': {}, ...Object.fromEntries(written.map(([name, value]) => [`:${name}`, value])) },
    });
    return updated !== undefined;
  };

  return {
    async create(task) {
      const item: Item = { pk: partitionKey(task), ...task };
      // If it is there it is our own: no two tasks share an id.
      await unlessConditionFailed(
        client.send(
          new PutCommand({
            TableName: tableName,
            Item: item,
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
          within(),
        ),
      );
    },

    async get(ref) {
      const item = (await read(partitionKey(ref))) as Item | undefined;
      if (item?.storedResult === undefined || readResult === undefined) return item;
      return { ...item, result: await readResult(item.storedResult) };
    },

    async clearInput(ref, key, token, at) {
      await update(ref, {
        UpdateExpression: 'REMOVE inputs.#key SET lastUpdatedAt = :at',
        condition: 'inputs.#key.#token = :token',
        names: { '#key': key, '#token': 'token' },
        values: { ':at': at, ':token': token },
      });
    },

    async requestCancel(ref, at) {
      const updated = await update(ref, {
        UpdateExpression:
          'SET cancelRequestedAt = if_not_exists(cancelRequestedAt, :at), lastUpdatedAt = :at, statusMessage = :message',
        values: { ':at': at, ':message': 'Cancelling' },
        ReturnValues: 'ALL_NEW',
      });
      return (updated?.Attributes as Item | undefined)?.inputs;
    },

    close: (ref, end) => close(ref, end),

    closeQueued: (ref, end) => close(ref, end, 'attribute_exists(queuedInput)'),

    async dequeue(ref, at) {
      const updated = await update(ref, {
        UpdateExpression: 'REMOVE queuedInput SET lastUpdatedAt = :at',
        values: { ':at': at },
      });
      return updated !== undefined;
    },

    async claim(claim) {
      const pk = claimKey(claim);
      const made = await unlessConditionFailed(
        client.send(
          new PutCommand({
            TableName: tableName,
            Item: { pk, ...claim },
            // Expired counts as gone, here as everywhere: DynamoDB may not have deleted it yet.
            ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
            ExpressionAttributeValues: { ':now': Math.floor(Date.now() / 1000) },
          }),
          within(),
        ),
      );
      if (made !== undefined) return claim;
      const held = (await read(pk)) as Claim | undefined;
      if (held === undefined) throw new Error('A claim expired while it was read');
      return held;
    },
  };
};

import { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { IntegrationPattern, JitterType, JsonPath, type Timeout } from 'aws-cdk-lib/aws-stepfunctions';
import { CallAwsService } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import type { TaskRecord } from '../../lambdas/protocol/task.ts';
import { settingsOf } from '../settings.ts';

/** Attribute values as DynamoDB spells them; a value may be a JSONPath token. */
export type AttributeValue = { S: string } | { N: string } | { M: Record<string, AttributeValue> };

export interface RecordWrite {
  set?: { [Name in keyof TaskRecord]?: AttributeValue };
  remove?: readonly (keyof TaskRecord)[];
  /** Name (a JSONPath) of the entry of `inputs` to set or to remove. */
  input?: { key: string; value?: AttributeValue };
  /** In a task that is cancelled cooperatively: lose the condition once, or unless, that has been asked for. */
  cancelIs?: 'absent' | 'requested';
  comment: string;
  /** With a callback token the state waits for its answer, up to the timeout. Without, it goes on at once. */
  waitForAnswer?: { timeout: Timeout; resultPath: string };
}

/** What DynamoDB and the network answer when it is worth asking again. A lost condition is not among them. */
const TRANSIENT_ERRORS = [
  'DynamoDb.ProvisionedThroughputExceededException',
  'DynamoDb.ThrottlingException',
  'DynamoDb.RequestLimitExceededException',
  'DynamoDb.InternalServerErrorException',
  'DynamoDb.SdkClientException',
];

/** A cooperative cancel, as the endpoint fails the questions with that are open then. */
export const TASK_IS_CANCELLED = 'TaskCancelled';

/** The condition of a task write was lost: the task has ended, by a cancel or otherwise. */
export const TASK_IS_CLOSED = 'DynamoDb.ConditionalCheckFailedException';

const CANCEL_CONDITIONS = {
  absent: ' AND attribute_not_exists(#cancelRequestedAt)',
  requested: ' AND attribute_exists(#cancelRequestedAt)',
};

/**
 * A state that writes the task's record without a Lambda: one `updateItem`, on the condition that the task is
 * still working. It finds the record through the context object, so it works wherever an author puts it.
 */
export const writeRecord = (
  scope: Construct,
  state: string,
  table: ITable,
  write: RecordWrite,
): CallAwsService => {
  const { set = {}, remove = [], input, cancelIs, waitForAnswer } = write;
  const assignments = [
    ...Object.keys(set).map((name) => `#${name} = :${name}`),
    ...(input?.value === undefined ? [] : ['#inputs.#key = :input']),
    '#lastUpdatedAt = :now',
  ];
  // A task that ended needs its input no more, and whoever starts tasks sees by it that the workflow was the one to end it.
  const removed: typeof remove =
    set.status !== undefined && settingsOf(scope).startTasks === 'queued'
      ? [...remove, 'queuedInput']
      : remove;
  const removals = [
    ...removed.map((name) => `#${name}`),
    ...(input !== undefined && input.value === undefined ? ['#inputs.#key'] : []),
  ];
  const names = [
    ...Object.keys(set),
    ...removed,
    'lastUpdatedAt',
    'status',
    ...(input === undefined ? [] : ['inputs']),
    ...(cancelIs === undefined ? [] : ['cancelRequestedAt']),
  ];

  const task = new CallAwsService(scope, state, {
    comment: write.comment,
    service: 'dynamodb',
    action: 'updateItem',
    iamAction: 'dynamodb:UpdateItem',
    iamResources: [table.tableArn],
    integrationPattern: waitForAnswer
      ? IntegrationPattern.WAIT_FOR_TASK_TOKEN
      : IntegrationPattern.REQUEST_RESPONSE,
    parameters: {
      TableName: table.tableName,
      Key: { pk: { S: JsonPath.stringAt('$$.Execution.Input.task.key') } },
      UpdateExpression: `SET ${assignments.join(', ')}${removals.length > 0 ? ` REMOVE ${removals.join(', ')}` : ''}`,
      ConditionExpression: `#status = :working${cancelIs === undefined ? '' : CANCEL_CONDITIONS[cancelIs]}`,
      ExpressionAttributeNames: {
        ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ...(input === undefined ? {} : { '#key': JsonPath.stringAt(input.key) }),
      },
      ExpressionAttributeValues: {
        ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
        ...(input?.value === undefined ? {} : { ':input': input.value }),
        ':now': { S: JsonPath.stringAt('$$.State.EnteredTime') },
        ':working': { S: 'working' },
      },
    },
    resultPath: waitForAnswer?.resultPath ?? JsonPath.DISCARD,
    taskTimeout: waitForAnswer?.timeout,
  });
  task.addRetry({
    errors: TRANSIENT_ERRORS,
    interval: Duration.seconds(1),
    maxAttempts: 6,
    backoffRate: 2,
    jitterStrategy: JitterType.FULL,
  });
  return task;
};

import * as dynamodb from '@aws-sdk/client-dynamodb';
import { StateError, runtimeError } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Integration } from './integration.ts';

const OPTIMIZED = /^arn:aws:states:::dynamodb:((?:get|put|update|delete)Item)$/;
const AWS_SDK = /^arn:aws:states:::aws-sdk:dynamodb:(\w+)$/;

type Command = ConstructorParameters<typeof dynamodb.GetItemCommand>[0];

/** Both forms of calling DynamoDB from a Task state. They differ in how their errors are named. */
export const dynamoDbIntegrations = (client: dynamodb.DynamoDBClient): Integration[] =>
  [OPTIMIZED, AWS_SDK].map((pattern) => ({
    handles: (action) => pattern.test(action),
    call: async (action, parameters) => {
      const [, operation = ''] = pattern.exec(action) ?? [];
      const name = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Command`;
      const Operation = (
        dynamodb as unknown as Record<string, new (input: Command) => dynamodb.GetItemCommand>
      )[name];
      if (!Operation) throw runtimeError(`The resource ${action} does not exist.`);
      try {
        const output = await client.send(new Operation(asDynamoDbWritesIt(parameters) as unknown as Command));
        return toJson(output, pattern === OPTIMIZED);
      } catch (error) {
        throw pattern === OPTIMIZED ? optimizedError(error as Error) : sdkError(error as Error);
      }
    },
  }));

/** The Java SDK, which Step Functions calls with, writes `Bool` and `Nul`; AWS takes both spellings. */
const asDynamoDbWritesIt = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(asDynamoDbWritesIt);
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only && typeof only[1] === 'boolean') {
    if (only[0] === 'Bool') return { BOOL: only[1] };
    if (only[0] === 'Nul') return { NULL: only[1] };
  }
  return Object.fromEntries(entries.map(([key, item]) => [key, asDynamoDbWritesIt(item)]));
};

const toJson = (output: object, optimized: boolean): JsonObject => {
  const { $metadata, ...rest } = output as { $metadata: { requestId?: string } };
  const json = JSON.parse(JSON.stringify(rest)) as JsonObject;
  if (!optimized) return json;
  return {
    ...json,
    SdkHttpMetadata: { HttpStatusCode: 200 },
    SdkResponseMetadata: { RequestId: $metadata.requestId ?? '' },
  };
};

/** All of the Java SDK's classes end so; in the model some do not, InternalServerError for one. */
const className = (name: string): string => name.replace(/(Exception)?$/, 'Exception');

/** Exceptions that DynamoDB's model knows keep their name; the others, and a broken connection, have general names. */
const nameOf = (error: Error, general: string): string => {
  if (!('$fault' in error)) return 'SdkClientException';
  return error.name in dynamodb ? className(error.name) : general;
};

const requestId = (error: Error): string =>
  (error as { $metadata?: { requestId?: string } }).$metadata?.requestId ?? '';

/** As the Java SDK v1 words it. */
const optimizedError = (error: Error): StateError =>
  new StateError(
    `DynamoDB.${nameOf(error, 'AmazonDynamoDBException')}`,
    `${error.message} (Service: AmazonDynamoDBv2; Status Code: 400; Error Code: ${error.name}; ` +
      `Request ID: ${requestId(error)}; Proxy: null)`,
  );

/** As the Java SDK v2 words it. */
const sdkError = (error: Error): StateError =>
  new StateError(
    `DynamoDb.${nameOf(error, 'DynamoDbException')}`,
    `${error.message} (Service: DynamoDb, Status Code: 400, Request ID: ${requestId(error)})`,
  );

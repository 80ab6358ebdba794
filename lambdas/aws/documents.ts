import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { attempts } from './limits.ts';

/** The client for task records. Made once per execution environment; its connections are kept alive. */
export const documentClient = (): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient(attempts(4)), {
    marshallOptions: { removeUndefinedValues: true },
  });

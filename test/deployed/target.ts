import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { outputOf, type StackOutputs } from '../../scripts/stack-outputs.ts';
import type { Target } from '../scenarios/target.ts';
import { reach } from './reach.ts';

/** A deployed stack as a target for the scenarios. AWS is found as any AWS SDK finds it. */
export const deployedTarget = (outputs: StackOutputs, token: string | undefined): Target => ({
  mcpUrl: reach(outputOf(outputs, 'McpUrl')),
  ...(token && { headers: bearer(token) }),
  documents: DynamoDBDocumentClient.from(new DynamoDBClient()),
  recordsTable: outputOf(outputs, 'runmigrationRecordsTable'),
});

export const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { outputOf, type StackOutputs } from '../../scripts/stack-outputs.ts';
import type { Target } from '../scenarios/target.ts';
import { machineToken } from './token.ts';

/**
 * A deployed stack as a target for the scenarios. AWS is found as any AWS SDK finds it.
 * @param mcpUrl where the API really is, if not where the stack says (an emulator)
 */
export const deployedTarget = async (
  outputs: StackOutputs,
  mcpUrl = outputOf(outputs, 'McpUrl'),
): Promise<Target> => {
  const token = await machineToken(outputs);
  return {
    mcpUrl,
    ...(token && { headers: { Authorization: `Bearer ${token}` } }),
    documents: DynamoDBDocumentClient.from(new DynamoDBClient()),
    recordsTable: outputOf(outputs, 'runmigrationRecordsTable'),
  };
};

import { Logger } from '@aws-lambda-powertools/logger';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { documentClient } from '../aws/documents.ts';
import { dynamoTaskStore } from '../aws/dynamo-task-store.ts';
import { stepFunctionsWorkflows } from '../aws/step-functions-workflows.ts';
import { starterEnvironment } from './environment.ts';
import { startBatch } from './start-batch.ts';

const { TASK_TABLE, STATE_MACHINES } = starterEnvironment.parse(process.env);
const log = new Logger({ serviceName: 'starter' });
const ports = {
  store: dynamoTaskStore(documentClient(), TASK_TABLE),
  workflows: stepFunctionsWorkflows(STATE_MACHINES),
};

export const handler = ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> =>
  startBatch(Records, ports, log);

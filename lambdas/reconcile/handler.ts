import { Logger } from '@aws-lambda-powertools/logger';
import type { EventBridgeEvent } from 'aws-lambda';
import { documentClient } from '../aws/documents.ts';
import { dynamoTaskStore } from '../aws/dynamo-task-store.ts';
import { stepFunctionsWorkflows } from '../aws/step-functions-workflows.ts';
import { taskMetrics } from '../aws/task-metrics.ts';
import { reconcilerEnvironment } from './environment.ts';
import { reconcile } from './reconcile.ts';
import { statusChange } from './status-change.ts';

const { TASK_TABLE } = reconcilerEnvironment.parse(process.env);
const log = new Logger({ serviceName: 'reconciler' });
const store = dynamoTaskStore(documentClient(), TASK_TABLE);
const metrics = taskMetrics();
// It starts nothing, so it need not know the state machines.
const workflows = stepFunctionsWorkflows({});

export const handler = ({ detail }: EventBridgeEvent<string, unknown>): Promise<void> =>
  reconcile(statusChange.parse(detail), store, workflows, log, metrics);

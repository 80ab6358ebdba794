import type { IRestApi, RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';

/** What dashboard and alarms look at. */
export interface Observed {
  api: RestApi & IRestApi;
  endpoint: IFunction;
  reconciler: IFunction;
  deadLetters: IQueue;
  /** With startTasks=queued. */
  starter?: { handler: IFunction; deadLetters: IQueue };
  taskTable: ITable;
  /** By the tool's name. */
  stateMachines: Record<string, StateMachine>;
}

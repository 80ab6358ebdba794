import { AttributeType, BillingMode, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { tableEncryption } from './edge/encryption-key.ts';
import type { NodeFunction } from './node-function.ts';
import { settingsOf } from './settings.ts';

/** The task records. One key and no index: a task can only be found by its tenant and id together. */
export class TaskTable extends Table {
  constructor(scope: Construct, id: string) {
    const { protectData, dataRemoval, startTasks } = settingsOf(scope);
    super(scope, id, {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
      billingMode: BillingMode.PAY_PER_REQUEST,
      ...tableEncryption(scope),
      ...(startTasks === 'queued' && { stream: StreamViewType.NEW_IMAGE }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: protectData,
      removalPolicy: dataRemoval,
    });
  }

  /** Lets the endpoint create, read and close records, and tells it the table's name. */
  bindTo(endpoint: NodeFunction): void {
    this.grant(endpoint, 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem');
    endpoint.addEnvironment('TASK_TABLE', this.tableName);
  }

  /** Lets a function read and change the records of tasks that it starts. */
  startedBy(fn: NodeFunction): void {
    this.grant(fn, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    fn.addEnvironment('TASK_TABLE', this.tableName);
  }

  /** Lets a function close records, and no more. */
  closedBy(fn: NodeFunction): void {
    this.grant(fn, 'dynamodb:UpdateItem');
    fn.addEnvironment('TASK_TABLE', this.tableName);
  }

  /** Lets a function read all records, whosesoever they are: for those who count, not for those who serve. */
  countedBy(fn: NodeFunction): void {
    this.grant(fn, 'dynamodb:Scan');
    fn.addEnvironment('TASK_TABLE', this.tableName);
  }
}

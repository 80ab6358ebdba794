import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { tableEncryption } from '../../lib/edge/encryption-key.ts';
import { settingsOf } from '../../lib/settings.ts';

/** The table that run_migration works on. */
export class Records extends Table {
  constructor(scope: Construct, id: string) {
    const { protectData, dataRemoval } = settingsOf(scope);
    super(scope, id, {
      partitionKey: { name: 'id', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      ...tableEncryption(scope),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: protectData,
      removalPolicy: dataRemoval,
    });
  }

  readBy(step: NodejsFunction): void {
    this.grant(step, 'dynamodb:Scan');
    step.addEnvironment('RECORDS_TABLE', this.tableName);
  }

  changedBy(step: NodejsFunction): void {
    this.readBy(step);
    this.grant(step, 'dynamodb:PutItem', 'dynamodb:DeleteItem');
  }
}

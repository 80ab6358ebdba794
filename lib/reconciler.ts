import { Duration, Validations } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { join } from 'node:path';
import { queueEncryption } from './edge/encryption-key.ts';
import { explainExecutions } from './executions.ts';
import { NodeFunction } from './node-function.ts';
import type { TaskTable } from './task-table.ts';

export interface ReconcilerProps {
  taskTable: TaskTable;
  stateMachines: readonly StateMachine[];
}

/** An event pattern holds 2,048 characters, and an ARN may have 150. */
const MACHINES_PER_RULE = 10;

/**
 * The backstop: whatever ends an execution, an event of it comes here, and a record that is still open is closed.
 * The events are best effort; what does not arrive is found by the next poll (lambdas/protocol/read-repair.ts).
 */
export class Reconciler extends Construct {
  readonly handler: NodeFunction;
  /** Events that nobody could handle. */
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { taskTable, stateMachines }: ReconcilerProps) {
    super(scope, id);
    this.deadLetters = new Queue(this, 'Dead letters', {
      ...queueEncryption(this),
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.deadLetters).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is a dead-letter queue itself, of a function and of a rule. lib/observability watches it.',
    });
    this.handler = new NodeFunction(this, 'Function', {
      entry: join(import.meta.dirname, '../lambdas/reconcile/handler.ts'),
      timeout: Duration.seconds(15),
      // An event that reached Lambda and failed there; the rule's own retries are for those that do not reach it.
      retryAttempts: 2,
      maxEventAge: Duration.hours(1),
      onFailure: new SqsDestination(this.deadLetters),
    });
    for (const action of ['ReEncrypt', 'GenerateDataKey']) {
      Validations.of(this.handler.role!).acknowledge({
        id: `AwsSolutions-IAM5[Action::kms:${action}*]`,
        reason:
          'With a key of one’s own: as the CDK lets a function send to a queue, and for that key alone.',
      });
    }
    taskTable.closedBy(this.handler);
    for (const stateMachine of stateMachines) {
      stateMachine.grantExecution(this.handler, 'states:DescribeExecution');
      explainExecutions(this.handler, stateMachine);
    }

    const target = new LambdaFunction(this.handler, {
      deadLetterQueue: this.deadLetters,
      retryAttempts: 10,
      maxEventAge: Duration.hours(1),
    });
    for (let first = 0; first < stateMachines.length; first += MACHINES_PER_RULE) {
      const machines = stateMachines.slice(first, first + MACHINES_PER_RULE);
      new Rule(this, `Executions ended ${1 + first / MACHINES_PER_RULE}`, {
        description: 'Executions of task tools that ended, however they did.',
        targets: [target],
        eventPattern: {
          source: ['aws.states'],
          detailType: ['Step Functions Execution Status Change'],
          detail: {
            status: ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'],
            stateMachineArn: machines.map(({ stateMachineArn }) => stateMachineArn),
          },
        },
      });
    }
  }
}

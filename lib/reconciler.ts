import { Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { join } from 'node:path';
import { DeadLetters } from './dead-letters.ts';
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
  readonly deadLetters: DeadLetters;

  constructor(scope: Construct, id: string, { taskTable, stateMachines }: ReconcilerProps) {
    super(scope, id);
    this.deadLetters = new DeadLetters(this, 'Dead letters', 'a function and of a rule');
    this.handler = new NodeFunction(this, 'Function', {
      entry: join(import.meta.dirname, '../lambdas/reconcile/handler.ts'),
      timeout: Duration.seconds(15),
      // An event that reached Lambda and failed there; the rule's own retries are for those that do not reach it.
      retryAttempts: 2,
      maxEventAge: Duration.hours(1),
      onFailure: new SqsDestination(this.deadLetters),
    });
    this.deadLetters.explainTo(this.handler);
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

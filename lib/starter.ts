import { Duration, Validations } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { join } from 'node:path';
import type { StarterEnvironment } from '../lambdas/start/environment.ts';
import { DeadLetters } from './dead-letters.ts';
import { arnsAsJson, explainExecutions } from './executions.ts';
import { NodeFunction } from './node-function.ts';
import type { TaskTable } from './task-table.ts';

/** How long starting a task is tried. */
const TRIES_FOR = Duration.minutes(15);

/** When a poll may give up a task that waits to be started: the last try is over then. */
export const NOBODY_TRIES_AFTER = TRIES_FOR.plus(Duration.minutes(1));

export interface StarterProps {
  taskTable: TaskTable;
  /** State machine of each task tool, by the tool's name. */
  stateMachines: Record<string, StateMachine>;
}

/**
 * With startTasks=queued: a task's record is its place in the queue, and the table's stream brings it here to be
 * started. What cannot be started comes again for a quarter of an hour; then the next poll closes the task.
 */
export class Starter extends Construct {
  readonly handler: NodeFunction;
  /** Where in the stream tasks were given up; the tasks themselves stay in the table. */
  readonly deadLetters: DeadLetters;

  constructor(scope: Construct, id: string, { taskTable, stateMachines }: StarterProps) {
    super(scope, id);
    this.deadLetters = new DeadLetters(this, 'Dead letters', 'a stream');
    this.handler = new NodeFunction(this, 'Function', {
      entry: join(import.meta.dirname, '../lambdas/start/handler.ts'),
      timeout: Duration.seconds(30),
      environment: {
        STATE_MACHINES: arnsAsJson(this, stateMachines),
      } satisfies Omit<StarterEnvironment, 'TASK_TABLE'>,
    });
    this.deadLetters.explainTo(this.handler);
    Validations.of(this.handler.role!).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'dynamodb:ListStreams, as the CDK lets a function read a stream: AWS lets nobody scope it.',
    });
    taskTable.startedBy(this.handler);
    for (const stateMachine of Object.values(stateMachines)) {
      stateMachine.grantStartExecution(this.handler);
      stateMachine.grantExecution(this.handler, 'states:DescribeExecution', 'states:StopExecution');
      explainExecutions(this.handler, stateMachine);
    }

    this.handler.addEventSource(
      new DynamoEventSource(taskTable, {
        // Nothing that was written before the mapping reads is left out.
        startingPosition: StartingPosition.TRIM_HORIZON,
        filters: [
          FilterCriteria.filter({
            eventName: FilterRule.isEqual('INSERT'),
            dynamodb: { NewImage: { queuedInput: { S: FilterRule.exists() } } },
          }),
        ],
        // A large input takes 256 KB of the 6 MB that one invocation can be given.
        batchSize: 10,
        parallelizationFactor: 4,
        reportBatchItemFailures: true,
        bisectBatchOnError: true,
        maxRecordAge: TRIES_FOR,
        onFailure: new SqsDlq(this.deadLetters),
      }),
    );
  }
}

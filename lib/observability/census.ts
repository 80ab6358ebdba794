import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { NodeFunction } from '../node-function.ts';
import { settingsOf } from '../settings.ts';
import type { TaskTable } from '../task-table.ts';

/**
 * Counts open questions now and then, with the age of the oldest: a question that nobody answers makes no event that
 * an alarm could see. A read unit per 8 KB of the table, so a million records cost about 2 cents each time.
 */
export class Census extends Construct {
  constructor(scope: Construct, id: string, { taskTable }: { taskTable: TaskTable }) {
    super(scope, id);
    const census = new NodeFunction(this, 'Function', {
      entry: join(import.meta.dirname, '../../lambdas/census/handler.ts'),
      timeout: Duration.minutes(5),
    });
    taskTable.countedBy(census);
    new Rule(this, 'Now and then', {
      schedule: Schedule.rate(Duration.minutes(settingsOf(this).censusMinutes)),
      targets: [new LambdaFunction(census)],
    });
  }
}

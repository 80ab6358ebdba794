import { join } from 'node:path';
import { CfnOutput, Duration } from 'aws-cdk-lib';
import { Choice, Condition, JsonPath } from 'aws-cdk-lib/aws-stepfunctions';
import * as z from 'zod';
import { form, format, type Workflow } from '../../lib/workflow-kit/index.ts';
import { Records } from './records.ts';

const stepFile = (name: string): string => join(import.meta.dirname, 'steps', `${name}.ts`);

export const runMigrationWorkflow: Workflow = (kit) => {
  const records = new Records(kit.scope, 'Records');
  new CfnOutput(kit.scope, 'RecordsTable', { value: records.tableName });

  const plan = kit.run('Plan the migration', {
    entry: stepFile('plan'),
    input: '$.arguments',
    resultPath: '$.work',
  });
  records.readBy(plan.handler);

  const apply = kit.run('Apply a batch', {
    entry: stepFile('apply'),
    input: { migration: JsonPath.stringAt('$.arguments.migration'), work: JsonPath.objectAt('$.work') },
    resultPath: '$.work',
  });
  records.changedBy(apply.handler);

  const report = (state: string, outcome: string, text: string) =>
    kit.result(state, {
      text,
      structuredContent: {
        migration: JsonPath.stringAt('$.arguments.migration'),
        outcome,
        total: JsonPath.numberAt('$.work.total'),
        updated: JsonPath.numberAt('$.work.updated'),
        deleted: JsonPath.numberAt('$.work.deleted'),
      },
    });

  const nothingToDo = report(
    'Report that there is nothing to do',
    'nothing_to_do',
    format(
      '{}: nothing to do, all {} records are as they should be.',
      '$.arguments.migration',
      '$.work.total',
    ),
  );
  const declined = report(
    'Report that it was declined',
    'declined',
    format('{}: declined. All {} records are as they were.', '$.arguments.migration', '$.work.total'),
  );
  const done = report(
    'Report the migration',
    'applied',
    format(
      '{}: {} records updated, {} deleted, of {}.',
      '$.arguments.migration',
      '$.work.updated',
      '$.work.deleted',
      '$.work.total',
    ),
  );

  const applyAll = apply
    .next(kit.progress('Report progress', format('Applying ({}/{})', '$.work.seen', '$.work.total')))
    .next(
      new Choice(kit.scope, 'Is it finished?')
        .when(Condition.booleanEquals('$.work.finished', true), done)
        .otherwise(apply),
    );

  const confirm = kit.ask('confirm_delete', {
    question: form({
      message: format('Delete {} of {} records for good?', '$.work.toDelete', '$.work.total'),
      schema: z.object({ confirm: z.boolean().describe('Delete the records.') }),
    }),
    timeout: Duration.hours(1),
  });
  const confirmed = Condition.and(
    Condition.stringEquals('$.confirm_delete.response.action', 'accept'),
    Condition.isPresent('$.confirm_delete.response.content.confirm'),
    Condition.booleanEquals('$.confirm_delete.response.content.confirm', true),
  );

  return plan.next(
    new Choice(kit.scope, 'What is there to do?')
      .when(Condition.numberEquals('$.work.toChange', 0), nothingToDo)
      .when(
        Condition.numberGreaterThan('$.work.toDelete', 0),
        confirm.next(
          new Choice(kit.scope, 'Was it confirmed?').when(confirmed, applyAll).otherwise(declined),
        ),
      )
      .otherwise(applyAll),
  );
};

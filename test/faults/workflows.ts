import { Duration } from 'aws-cdk-lib';
import { Choice, Condition, Fail, JsonPath, Parallel, Pass } from 'aws-cdk-lib/aws-stepfunctions';
import { join } from 'node:path';
import * as z from 'zod';
import { form, type Workflow, type WorkflowKit, type WorkflowTable } from '../../lib/workflow-kit/index.ts';
import { NEXT, type tools } from './tools.ts';

const question = form({ message: 'What next?', schema: z.object({ next: z.enum(NEXT) }) });
const AN_HOUR = Duration.hours(1);

/** Asks what to do next until it is told to end. */
const drive = (kit: WorkflowKit, timeout = AN_HOUR) => {
  const ask = kit.ask('next', { question, timeout });
  const next = (value: (typeof NEXT)[number]) =>
    Condition.and(
      Condition.isPresent('$.next.response.content.next'),
      Condition.stringEquals('$.next.response.content.next', value),
    );
  return ask.next(
    new Choice(kit.scope, 'Next?')
      .when(next('progress'), kit.progress('Progressed').next(ask))
      .when(next('complete'), kit.result('Completed', { text: 'done' }))
      .when(
        next('tool_error'),
        new Fail(kit.scope, 'Tool error', { error: 'ToolError', cause: 'a tool error' }),
      )
      .when(next('fail'), new Fail(kit.scope, 'Failed', { error: 'Unexpected', cause: 'an internal secret' }))
      .when(
        next('broken'),
        // States.Runtime, which no state can catch: only the execution's event or a poll closes the record.
        new Pass(kit.scope, 'Broken', { parameters: { missing: JsonPath.stringAt('$.nowhere') } }),
      )
      .otherwise(kit.result('Declined', { text: 'declined' })),
  );
};

const cooperative: Workflow = (kit) => {
  kit.onCancel((undo) =>
    new Choice(undo.scope, 'Can it be undone?')
      .when(
        Condition.booleanEquals('$.arguments.undoFails', true),
        new Fail(undo.scope, 'It cannot', { error: 'UndoFailed', cause: 'because' }),
      )
      .otherwise(undo.progress('Undone')),
  );
  return drive(kit);
};

/** One step that goes on until it sees that it shall not. */
const patient: Workflow = (kit) => {
  kit.onCancel((undo) => undo.progress('Undone'));
  return kit
    .run('Work', { entry: join(import.meta.dirname, 'steps/patient.ts'), seesCancel: true })
    .next(kit.cancelled('Stopped halfway'));
};

const pair: Workflow = (kit) =>
  new Parallel(kit.scope, 'Both')
    .branch(kit.ask('one', { question, timeout: AN_HOUR }))
    .branch(kit.ask('two', { question, timeout: AN_HOUR }))
    .next(kit.result('Both answered', { text: 'both' }));

export const workflows: WorkflowTable<typeof tools> = {
  drive: (kit) => drive(kit),
  cooperative,
  patient,
  keyed: (kit) => drive(kit),
  short: (kit) => drive(kit, Duration.seconds(1)),
  unlimited: (kit) => drive(kit),
  extended: (kit) =>
    kit.extend('Take more time', Duration.seconds(30)).next(drive(kit, Duration.seconds(60))),
  pair,
  instant: (kit) => kit.result('At once', { text: 'done' }),
  large: (kit) =>
    kit.run('Make a large result', {
      entry: join(import.meta.dirname, 'steps/large.ts'),
      input: '$.arguments',
      largeResult: true,
    }),
};

import { expect, test } from '@jest/globals';
import { GetExecutionHistoryCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { withEngine } from './fixture/engine.ts';
import { eventually } from './fixture/eventually.ts';

const task = (fields: object = {}) => ({ Type: 'Task', Resource: '${Worker.Arn}', End: true, ...fields });
const one = (state: object, others: object = {}) => ({ StartAt: 'S', States: { S: state, ...others } });
const wait = { Type: 'Wait', Seconds: 60, End: true };
const RETRY = { ErrorEquals: ['Flaky'], IntervalSeconds: 1, BackoffRate: 1, MaxAttempts: 2 };
const caught = { Caught: { Type: 'Pass', End: true } };

const bed = withEngine({
  Catch: one(
    task({ Catch: [{ ErrorEquals: ['ToolError'], ResultPath: '$.error', Next: 'Caught' }] }),
    caught,
  ),
  Fail: one({ Type: 'Fail', ErrorPath: '$.error', CausePath: `States.Format('because {}', $.why)` }),
  Retry: one(
    task({ Parameters: { 'n.$': '$$.State.RetryCount', do: 'throw', name: 'Flaky' }, Retry: [RETRY] }),
  ),
  TaskTimeout: one(
    task({
      Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
      Parameters: { FunctionName: '${Worker.Arn}', Payload: {} },
      TimeoutSeconds: 1,
      Catch: [
        { ErrorEquals: ['States.TaskFailed'], Next: 'Wrong' },
        { ErrorEquals: ['States.Timeout'], Next: 'Caught' },
      ],
    }),
    { ...caught, Wrong: { Type: 'Fail' } },
  ),
  MachineTimeout: { ...one(wait), TimeoutSeconds: 1 },
  Waiting: one(wait),
  Branches: one(
    {
      Type: 'Parallel',
      Branches: [
        { StartAt: 'W', States: { W: wait } },
        { StartAt: 'F', States: { F: { Type: 'Fail', Error: 'Broken', Cause: 'on purpose' } } },
      ],
      Retry: [{ ErrorEquals: ['Broken'], IntervalSeconds: 1, MaxAttempts: 1 }],
      Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }],
      End: true,
    },
    caught,
  ),
  Iterations: one({
    Type: 'Map',
    ItemProcessor: {
      StartAt: 'C',
      States: {
        C: {
          Type: 'Choice',
          Choices: [{ Variable: '$', NumericEquals: 2, Next: 'F' }],
          Default: 'W',
        },
        F: { Type: 'Fail', Error: 'Two' },
        W: wait,
      },
    },
    End: true,
  }),
  NoChoice: one({ Type: 'Choice', Choices: [{ Variable: '$.a', IsPresent: true, Next: 'Caught' }] }, caught),
});

const historyOf = async (executionArn: string) => {
  const { events = [] } = await bed.sfn.send(new GetExecutionHistoryCommand({ executionArn }));
  return events;
};

test('a function’s error has its name, and its payload as the cause', async () => {
  const input = { do: 'throw', name: 'ToolError', message: 'no such row' };
  const output = (await bed.run('Catch', input)) as { error: { Error: string; Cause: string } };
  expect(output).toMatchObject({ ...input, error: { Error: 'ToolError' } });
  expect(JSON.parse(output.error.Cause)).toMatchObject({
    errorType: 'ToolError',
    errorMessage: 'no such row',
  });
});

test('a timeout of the function is Sandbox.Timedout', async () => {
  await expect(bed.run('Catch', { do: 'hang' })).rejects.toThrow(
    /FAILED Sandbox.Timedout: .*after 1.00 seconds/,
  );
});

test('a Fail state takes error and cause from its paths', async () => {
  await expect(bed.run('Fail', { error: 'Mine', why: 'of you' })).rejects.toThrow(
    'FAILED Mine: because of you',
  );
});

test('a retrier runs the state again, and the state can count it', async () => {
  const executionArn = await bed.start('Retry', {});
  expect(await bed.ended(executionArn)).toMatchObject({ status: 'FAILED', error: 'Flaky' });
  const events = await historyOf(executionArn);
  const inputs = events.flatMap(({ lambdaFunctionScheduledEventDetails: details }) =>
    details?.input ? [JSON.parse(details.input)] : [],
  );
  expect(inputs).toMatchObject([{ n: 0 }, { n: 1 }, { n: 2 }]);
  expect(events.filter(({ type }) => type === 'TaskStateEntered')).toHaveLength(1);
});

test('States.Timeout catches a timeout, and States.TaskFailed does not', async () => {
  expect(await bed.run('TaskTimeout', {})).toEqual({ Error: 'States.Timeout', Cause: '' });
});

test('a machine has a timeout of its own', async () => {
  await expect(bed.run('MachineTimeout')).rejects.toThrow(/^TIMED_OUT States.Timeout/);
});

test('the first branch that fails ends the others, for the retry and for good', async () => {
  const executionArn = await bed.start('Branches');
  const { output } = await bed.ended(executionArn);
  expect(JSON.parse(output as string)).toEqual({ Error: 'Broken', Cause: 'on purpose' });
  const entered = (await historyOf(executionArn)).filter(({ type }) => type === 'WaitStateEntered');
  expect(entered).toHaveLength(2);
});

test('the first iteration that fails ends the others', async () => {
  await expect(bed.run('Iterations', [1, 2, 3])).rejects.toThrow(/^FAILED Two/);
});

test('no choice is an error', async () => {
  await expect(bed.run('NoChoice')).rejects.toThrow(/^FAILED States.NoChoiceMatched/);
});

test('a stopped execution has what StopExecution gave, and stays as it ended', async () => {
  const executionArn = await bed.start('Waiting');
  await eventually(async () =>
    (await historyOf(executionArn)).some(({ type }) => type === 'WaitStateEntered'),
  );
  const stop = () =>
    bed.sfn.send(new StopExecutionCommand({ executionArn, error: 'Cancelled', cause: 'by hand' }));
  const { stopDate } = await stop();
  const ended = { status: 'ABORTED', error: 'Cancelled', cause: 'by hand', stopDate };
  expect(await bed.ended(executionArn)).toMatchObject(ended);
  expect((await stop()).stopDate).toEqual(stopDate);
  expect((await historyOf(executionArn)).at(-1)).toMatchObject({
    type: 'ExecutionAborted',
    executionAbortedEventDetails: { error: 'Cancelled', cause: 'by hand' },
  });
});

import { expect, test } from '@jest/globals';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  SendTaskFailureCommand,
  SendTaskHeartbeatCommand,
  SendTaskSuccessCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { withEngine } from './fixture/engine.ts';
import { eventually } from './fixture/eventually.ts';

const ask = (fields: object = {}, others: object = {}) => ({
  StartAt: 'Ask',
  States: {
    Ask: {
      Type: 'Task',
      Resource: 'arn:aws:states:::aws-sdk:dynamodb:updateItem.waitForTaskToken',
      Parameters: {
        TableName: '${Table}',
        Key: { pk: { 'S.$': '$$.Execution.Name' } },
        UpdateExpression: 'SET #t = :t',
        ExpressionAttributeNames: { '#t': 'token' },
        ExpressionAttributeValues: { ':t': { 'S.$': '$$.Task.Token' } },
      },
      ResultPath: '$.answer',
      End: true,
      ...fields,
    },
    ...others,
  },
});

const bed = withEngine({
  Ask: ask(),
  AskBriefly: ask({ TimeoutSeconds: 1 }),
  AskAlive: ask(
    { HeartbeatSeconds: 1, Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'Dead' }] },
    { Dead: { Type: 'Succeed' } },
  ),
  AskAgain: ask({ Retry: [{ ErrorEquals: ['Again'], IntervalSeconds: 1 }] }),
  LambdaWithToken: {
    StartAt: 'T',
    States: {
      T: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
        Parameters: {
          FunctionName: '${Worker.Arn}',
          Payload: { do: 'throw', name: 'Refused', message: 'no' },
        },
        End: true,
      },
    },
  },
});

let count = 0;
const askedBy = async (machine: string) => {
  const name = `ask-${++count}`;
  const executionArn = await bed.start(machine, {}, name);
  return { name, executionArn, token: await tokenOf(name) };
};
const tokenOf = (name: string, not?: string): Promise<string> =>
  eventually(async () => {
    const { Item } = await bed.dynamodb.send(
      new GetItemCommand({ TableName: 'Table', Key: { pk: { S: name } } }),
    );
    return Item?.token?.S !== not && Item?.token?.S;
  });
const succeed = (taskToken: string, output = '{"yes":true}') =>
  bed.sfn.send(new SendTaskSuccessCommand({ taskToken, output }));

test('the callback’s output is the state’s result', async () => {
  const { executionArn, token } = await askedBy('Ask');
  await succeed(token);
  expect(JSON.parse((await bed.ended(executionArn)).output as string)).toEqual({ answer: { yes: true } });
});

test('a failure has the callback’s error and cause', async () => {
  const { executionArn, token } = await askedBy('Ask');
  await bed.sfn.send(new SendTaskFailureCommand({ taskToken: token, error: 'Refused', cause: 'no' }));
  expect(await bed.ended(executionArn)).toMatchObject({ status: 'FAILED', error: 'Refused', cause: 'no' });
});

test('a retry waits with a new token, and the old one is spent', async () => {
  const { name, executionArn, token } = await askedBy('AskAgain');
  await bed.sfn.send(new SendTaskFailureCommand({ taskToken: token, error: 'Again' }));
  const next = await tokenOf(name, token);
  await expect(succeed(token)).rejects.toMatchObject({ name: 'TaskTimedOut' });
  await succeed(next);
  expect(await bed.ended(executionArn)).toMatchObject({ status: 'SUCCEEDED' });
});

test('a spent token is TaskTimedOut: answered, timed out, or its execution stopped', async () => {
  const answered = await askedBy('Ask');
  await succeed(answered.token);
  await expect(succeed(answered.token)).rejects.toMatchObject({ name: 'TaskTimedOut' });

  const timedOut = await askedBy('AskBriefly');
  expect(await bed.ended(timedOut.executionArn)).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
  await expect(succeed(timedOut.token)).rejects.toMatchObject({ name: 'TaskTimedOut' });

  const { executionArn, token } = await askedBy('Ask');
  await bed.sfn.send(new StopExecutionCommand({ executionArn }));
  await bed.ended(executionArn);
  await expect(succeed(token)).rejects.toMatchObject({ name: 'TaskTimedOut' });
});

test('heartbeats keep a task alive', async () => {
  const { executionArn, token } = await askedBy('AskAlive');
  const started = Date.now();
  while (Date.now() - started < 1500) {
    await bed.sfn.send(new SendTaskHeartbeatCommand({ taskToken: token }));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await succeed(token);
  expect(await bed.ended(executionArn)).toMatchObject({ status: 'SUCCEEDED' });
});

test('a missed heartbeat is caught as States.Timeout', async () => {
  const { executionArn } = await askedBy('AskAlive');
  expect(JSON.parse((await bed.ended(executionArn)).output as string)).toMatchObject({
    Error: 'States.HeartbeatTimeout',
  });
});

test('a call that fails ends the wait', async () => {
  await expect(bed.run('LambdaWithToken')).rejects.toThrow(/^FAILED Refused/);
});

test('garbage is InvalidToken, and an output that is no JSON InvalidOutput', async () => {
  await expect(succeed('garbage')).rejects.toMatchObject({ name: 'InvalidToken' });
  const { executionArn, token } = await askedBy('Ask');
  await expect(succeed(token, 'no json')).rejects.toMatchObject({ name: 'InvalidOutput' });
  await bed.sfn.send(new StopExecutionCommand({ executionArn }));
});

import { DescribeExecutionCommand } from '@aws-sdk/client-sfn';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { awsError, DROP } from '../../local/aws/calls.ts';
import { accept, asks, callAndWait, isOver, taskClient, until, type TaskClient } from '../faults/client.ts';
import { recordOf } from '../faults/engine.ts';
import { dieAt, executionsOfKeyed, executionStatus } from '../faults/executions.ts';
import { strays } from '../faults/invariants.ts';
import { useAssembly } from '../support/assembly.ts';
import { useEngine } from '../support/engine.ts';

const engine = useEngine({}, useAssembly({ app: 'test/queue/app.ts' }));
let client: TaskClient;
beforeAll(() => {
  client = taskClient(engine.mcpUrl);
});

const releases: (() => void)[] = [];
const during = (release: () => void): void => void releases.push(release);
afterEach(() => {
  for (const release of releases.splice(0)) release();
});

/** Holds the stream back until it is opened, and then says when a task's record has been through. */
const closedStream = () => {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const delivered = new Set<unknown>();
  during(
    engine.interceptStream(async (records, deliver) => {
      await opened;
      await deliver();
      for (const { dynamodb } of records) delivered.add((dynamodb.NewImage['taskId'] as { S: string }).S);
    }),
  );
  during(open);
  return { open, through: (taskId: string) => until(async () => delivered.has(taskId)) };
};

const starts = (): number => engine.calls.filter(({ operation }) => operation === 'StartExecution').length;

const isQueued = async (taskId: string): Promise<boolean> =>
  Object.hasOwn(await recordOf(engine, taskId), 'queuedInput');

test('a call makes one AWS call, and its task is started, asks, is answered and completes', async () => {
  engine.resetCalls();
  const created = await client.call('drive', { note: 'hunter2' });
  const operations = engine.calls
    .filter(({ caller }) => caller.startsWith('Endpoint'))
    .map(({ operation }) => operation);
  expect(operations).toEqual(['PutItem']);
  expect(created).toMatchObject({ resultType: 'task', status: 'working' });

  const { taskId } = created;
  const asked = await client.until(taskId, asks);
  await until(async () => !(await isQueued(taskId)));
  expect(
    engine.calls.filter(({ caller }) => caller.startsWith('Starter')).map(({ operation }) => operation),
  ).toEqual(['GetItem', 'StartExecution', 'UpdateItem']);
  await client.update(taskId, {
    [Object.keys((asked as { inputRequests: object }).inputRequests)[0]!]: accept('complete'),
  });
  expect(await client.until(taskId, isOver)).toMatchObject({ status: 'completed' });
  expect(await recordOf(engine, taskId)).not.toHaveProperty('queuedInput');
  expect(engine.logs.some((line) => line.includes(taskId))).toBe(true);
  expect(engine.logs.join('\n')).not.toContain('hunter2');
});

test('a handle is there before anything is started, and reads as working', async () => {
  const { open } = closedStream();
  engine.resetCalls();
  const { taskId } = await client.call('drive', { note: 'hunter2' });
  const before = await client.get(taskId);
  expect(before).toMatchObject({ status: 'working' });
  expect(JSON.stringify(before)).not.toMatch(/queuedInput|hunter2/);
  expect(starts()).toBe(0);
  open();
  await client.until(taskId, asks);
});

test('what is started is what was called with, and a task that ends at once stays completed', async () => {
  const { taskId } = await client.call('instant', { note: 'a "note" of ünïcode', undoFails: false });
  expect(await client.until(taskId, isOver)).toMatchObject({ status: 'completed' });
  const { executionArn, createdAt, expiresAt } = await recordOf(engine, taskId);
  const { input, status } = await engine.stepFunctions.send(
    new DescribeExecutionCommand({ executionArn: String(executionArn) }),
  );
  expect(JSON.parse(input!)).toEqual({
    task: { id: taskId, key: `public#${taskId}`, tool: 'instant', tenant: 'public', createdAt, expiresAt },
    arguments: { note: 'a "note" of ünïcode', undoFails: false },
  });
  expect(['RUNNING', 'SUCCEEDED']).toContain(status);
});

test('a burst of 50 all complete, though each is refused twice: by throttling, and so that it must come again', async () => {
  const tries = new Map<string, number>();
  during(
    engine.interceptAwsCalls(async ({ operation, body }, proceed) => {
      if (operation !== 'StartExecution') return proceed();
      const { name } = JSON.parse(body.toString()) as { name: string };
      tries.set(name, (tries.get(name) ?? 0) + 1);
      if (tries.get(name) === 1) return awsError('ThrottlingException', 'Rate exceeded');
      // The SDK does not repeat this one.
      return tries.get(name) === 2 ? awsError('ExecutionLimitExceeded', 'Too many open') : proceed();
    }),
  );
  const called = await Promise.all(Array.from({ length: 50 }, () => client.call('instant')));
  const over = await Promise.all(called.map(({ taskId }) => client.until(taskId, isOver, 25_000, 500)));
  expect(over.map(({ status }) => status)).toEqual(Array(50).fill('completed'));
  expect(called.map(({ taskId }) => tries.get(taskId)! >= 3)).toEqual(Array(50).fill(true));
});

describe.each(['drive', 'cooperative'])('a cancel of a task of %s', (tool) => {
  test('before its start: no step runs, and it is cancelled', async () => {
    const { open, through } = closedStream();
    const { taskId } = await client.call(tool);
    await client.cancel(taskId);
    open();
    await through(taskId);
    expect(await client.get(taskId)).toMatchObject({ status: 'cancelled' });
    expect(await executionStatus(engine, taskId)).toBe('ExecutionDoesNotExist');
    expect(await strays(engine)).toEqual([]);
  });

  test('between its start and its removal from the queue: nothing of it goes on running', async () => {
    let taskId = '';
    during(
      engine.interceptAwsCalls(async ({ operation, body }, proceed) => {
        const reply = await proceed();
        if (operation === 'StartExecution' && body.includes(taskId)) await client.cancel(taskId);
        return reply;
      }),
    );
    const { open } = closedStream();
    ({ taskId } = await client.call(tool));
    open();
    expect(await client.until(taskId, isOver)).toMatchObject({ status: 'cancelled' });
    await until(async () => (await executionStatus(engine, taskId)) !== 'RUNNING');
    // A cooperative one has ended by itself, after its compensation.
    expect(await executionStatus(engine, taskId)).toBe(tool === 'drive' ? 'ABORTED' : 'SUCCEEDED');
  });
});

test('a starter that dies between start and cancel leaves the stop to its next try', async () => {
  let taskId = '';
  let died = false;
  during(
    engine.interceptAwsCalls(async ({ caller, operation }, proceed) => {
      if (died && caller.startsWith('Endpoint') && operation === 'StopExecution') {
        return awsError('AccessDeniedException', 'dead');
      }
      if (died || !caller.startsWith('Starter') || operation !== 'UpdateItem') return proceed();
      died = true;
      await client.cancel(taskId).catch(() => undefined);
      return awsError('AccessDeniedException', 'dead');
    }),
  );
  const { open } = closedStream();
  ({ taskId } = await client.call('drive'));
  open();
  await until(async () => (await executionStatus(engine, taskId)) === 'ABORTED');
  expect(await client.get(taskId)).toMatchObject({ status: 'cancelled' });
});

test('an event that comes twice, and a start whose answer is lost, are one execution', async () => {
  let lost = 0;
  during(
    engine.interceptAwsCalls(async ({ operation }, proceed) => {
      const reply = await proceed();
      return operation === 'StartExecution' && (lost += 1) === 1 ? DROP : reply;
    }),
  );
  const delivered: string[] = [];
  during(
    engine.interceptStream(async (records, deliver) => {
      await deliver();
      await deliver();
      delivered.push(...records.map(({ dynamodb: { NewImage } }) => (NewImage['taskId'] as { S: string }).S));
    }),
  );
  const { taskId, key } = await callAndWait(client, 'drive');
  await until(async () => delivered.includes(taskId));
  expect(lost).toBeGreaterThanOrEqual(2);
  await client.update(taskId, { [key]: accept('complete') });
  expect(await client.until(taskId, isOver)).toMatchObject({ status: 'completed' });
});

test('a task that nobody could start is closed by the poll that finds it, and is not started later', async () => {
  const { open, through } = closedStream();
  const { taskId } = await client.call('drive');
  // As if it had waited for longer than starting it is tried.
  await engine.documents.send(
    new UpdateCommand({
      TableName: engine.table('Tasks'),
      Key: { pk: `public#${taskId}` },
      UpdateExpression: 'SET lastUpdatedAt = :longAgo',
      ExpressionAttributeValues: { ':longAgo': new Date(Date.now() - 17 * 60_000).toISOString() },
    }),
  );
  const over = await client.get(taskId);
  expect(over).toMatchObject({
    status: 'failed',
    error: { message: 'The task could not be started. It is safe to call the tool again.' },
  });
  open();
  await through(taskId);
  expect(await executionStatus(engine, taskId)).toBe('ExecutionDoesNotExist');
  expect(await client.get(taskId)).toEqual({ ...over, pollIntervalMs: expect.any(Number) });
});

test('a task whose tool is gone ends at once, and holds up nobody', async () => {
  const { open } = closedStream();
  const gone = await client.call('drive');
  during(
    engine.interceptAwsCalls(async ({ operation, body }, proceed) =>
      operation === 'StartExecution' && body.includes(gone.taskId)
        ? awsError('StateMachineDoesNotExist', 'State Machine Does Not Exist')
        : proceed(),
    ),
  );
  const others = await Promise.all(Array.from({ length: 8 }, () => client.call('instant')));
  open();
  expect(await client.until(gone.taskId, isOver)).toMatchObject({ status: 'failed' });
  for (const { taskId } of others) {
    expect(await client.until(taskId, isOver)).toMatchObject({ status: 'completed' });
  }
});

test('a task whose time ends in the queue ends as out of time', async () => {
  closedStream();
  const { taskId } = await client.call('short');
  expect(await client.until(taskId, isOver)).toMatchObject({
    status: 'failed',
    statusMessage: 'The task ran out of its time and was stopped.',
  });
});

describe('an idempotency key', () => {
  test('twenty calls at once are one task and one execution', async () => {
    const tasks = await Promise.all(Array.from({ length: 20 }, () => client.call('keyed', { note: 'a' })));
    expect(new Set(tasks.map(({ taskId }) => taskId)).size).toBe(1);
    await client.until(tasks[0]!.taskId, asks);
    expect(await executionsOfKeyed(engine, 'a')).toEqual([tasks[0]!.taskId]);
    expect(await client.call('keyed', { note: 'a' })).toMatchObject({ taskId: tasks[0]!.taskId });
  });

  // Claim and record: the request dies before or behind each of them.
  test.each([0, 1].flatMap((n) => [[n, 'before'] as const, [n, 'behind'] as const]))(
    'a request that dies at write %i, %s it, is finished by the next one',
    async (n, when) => {
      const note = `b${n}${when}`;
      const release = dieAt(engine, ['PutItem', 'PutItem'], n, when);
      await expect(client.call('keyed', { note })).rejects.toMatchObject({ code: -32603 });
      release();
      const { taskId } = await callAndWait(client, 'keyed', { note });
      expect(await client.call('keyed', { note })).toMatchObject({ taskId });
      expect(await executionsOfKeyed(engine, note)).toEqual([taskId]);
    },
  );
});

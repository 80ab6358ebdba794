import { describe, expect, test } from '@jest/globals';
import { startBatch } from '../../../lambdas/start/start-batch.ts';
import { startQueued } from '../../../lambdas/start/start-queued.ts';
import { CannotStart } from '../../../lambdas/protocol/cannot-start.ts';
import { CANCELLED } from '../../../lambdas/protocol/execution-end.ts';
import { partitionKey, type TaskRecord } from '../../../lambdas/protocol/task.ts';
import { fakePorts } from '../../support/fake-ports.ts';

const input = {
  task: { id: 'tsk_1', key: 'alice#tsk_1', tool: 'build', tenant: 'alice', createdAt: 'x', expiresAt: null },
  arguments: { what: 'a secret bridge' },
};

const log = { warn: () => undefined, error: () => undefined };

/** One queued task of Alice's. */
const queuedTask = (over: Partial<TaskRecord> = {}) => {
  const ports = fakePorts();
  const createdAt = new Date().toISOString();
  const task: TaskRecord = {
    ...{ taskId: 'tsk_1', tenant: 'alice', tool: 'build', status: 'working', inputs: {} },
    ...{ createdAt, lastUpdatedAt: createdAt, ttlMs: 60_000, pollIntervalMs: 1_000 },
    executionArn: ports.workflows.executionArn('build', 'tsk_1'),
    queuedInput: JSON.stringify(input),
    ...over,
  };
  ports.records.set(partitionKey(task), task);
  const closeNow = () =>
    void ports.store.closeQueued(task, { ...CANCELLED, lastUpdatedAt: new Date().toISOString() });
  return {
    ports,
    task,
    closeNow,
    start: () => startQueued(task, ports, log),
    record: () => ports.record(task)!,
  };
};

test('a waiting task is started with what its record holds, and then waits no more', async () => {
  const { ports, start, record } = queuedTask();
  await start();
  expect(ports.calls).toEqual(['store.get', 'workflows.start', 'store.dequeue']);
  expect(ports.started).toEqual([{ tool: 'build', input }]);
  expect(record()).toMatchObject({ status: 'working' });
  expect(record().queuedInput).toBeUndefined();
});

test('an event that comes twice starts once', async () => {
  const { ports, start } = queuedTask();
  await start();
  await start();
  expect(ports.started).toHaveLength(1);
});

test('a crash between start and removal: the next try starts the same execution', async () => {
  const { ports, start, record } = queuedTask();
  ports.crashAt('store.dequeue');
  await expect(start()).rejects.toThrow('Unreachable');
  await start();
  expect(ports.started[1]).toEqual(ports.started[0]);
  expect(record().queuedInput).toBeUndefined();
});

describe('cancelled', () => {
  test('before the start: nothing is started, and what an earlier try started is stopped', async () => {
    const { ports, closeNow, start, task } = queuedTask();
    closeNow();
    await start();
    expect(ports.started).toEqual([]);
    expect(ports.stopped).toEqual([{ executionArn: task.executionArn, reason: 'Cancelled' }]);
  });

  test('between start and removal: it is stopped', async () => {
    const { ports, closeNow, start, record } = queuedTask();
    ports.during('workflows.start', closeNow);
    await start();
    expect(ports.started).toHaveLength(1);
    expect(ports.stopped).toHaveLength(1);
    expect(record()).toMatchObject({ status: 'cancelled' });
  });
});

test('a workflow that has ended by then is left to its last state', async () => {
  const { ports, start, task, record } = queuedTask();
  ports.during('store.dequeue', () => {
    const { queuedInput: _, ...ended } = { ...task, status: 'completed' as const, result: '{}' };
    ports.records.set(partitionKey(task), ended);
  });
  await start();
  expect(ports.stopped).toEqual([]);
  expect(record()).toMatchObject({ status: 'completed', lastUpdatedAt: task.lastUpdatedAt });
});

describe('a cooperative cancel', () => {
  const cancelRequestedAt = new Date().toISOString();

  test('before the start ends the task: there is nothing to undo', async () => {
    const { ports, start, task, record } = queuedTask({ cancel: 'cooperative', cancelRequestedAt });
    ports.executions.set(task.executionArn, { status: 'missing' });
    await start();
    expect(ports.started).toEqual([]);
    expect(record()).toMatchObject({ status: 'cancelled' });
  });

  test('of what an earlier try started is left to the workflow', async () => {
    const { ports, start, record } = queuedTask({ cancel: 'cooperative', cancelRequestedAt });
    await start();
    expect(ports.stopped).toEqual([]);
    expect(record()).toMatchObject({ status: 'working', cancelRequestedAt });
    expect(record().queuedInput).toBeUndefined();
  });
});

test('a task whose time is over is not started any more', async () => {
  const createdAt = new Date(Date.now() - 61_000).toISOString();
  const { ports, start, record } = queuedTask({ createdAt });
  await start();
  expect(ports.started).toEqual([]);
  expect(record()).toMatchObject({
    status: 'failed',
    statusMessage: 'The task ran out of its time and was stopped.',
  });
});

test('a task that can never be started is closed, so that nobody waits behind it', async () => {
  const { ports, start, record } = queuedTask();
  ports.during('workflows.start', () => {
    throw new CannotStart();
  });
  await start();
  expect(record()).toMatchObject({
    status: 'failed',
    statusMessage: 'The task could not be started. It is safe to call the tool again.',
  });
});

test('an expired record is nobody’s', async () => {
  const { ports, start } = queuedTask({ expiresAt: 1 });
  await start();
  expect(ports.calls).toEqual(['store.get']);
});

describe('a batch', () => {
  const event = (taskId: string, SequenceNumber: string) => ({
    eventName: 'INSERT',
    dynamodb: { SequenceNumber, NewImage: { tenant: { S: 'alice' }, taskId: { S: taskId } } },
  });

  test('names what must come again, and logs no word of what a task is about', async () => {
    const { ports, task, record } = queuedTask();
    const second: TaskRecord = { ...task, taskId: 'tsk_2' };
    ports.records.set(partitionKey(second), second);
    const logged: unknown[] = [];
    const log = { warn: (...line: unknown[]) => void logged.push(line), error: () => undefined };
    ports.crashAt('workflows.start');

    expect(await startBatch([event('tsk_1', '10'), event('tsk_2', '11')], ports, log)).toEqual({
      batchItemFailures: [{ itemIdentifier: '10' }],
    });
    expect(record().queuedInput).toBeDefined();
    expect(ports.record(second)!.queuedInput).toBeUndefined();
    expect(logged).toEqual([['Could not start a task yet', { taskId: 'tsk_1', error: expect.any(Error) }]]);
    expect(await startBatch([event('tsk_1', '10')], ports, log)).toEqual({ batchItemFailures: [] });
  });
});

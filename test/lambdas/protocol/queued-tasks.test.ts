import { describe, expect, test } from '@jest/globals';
import { partitionKey, type TaskRecord } from '../../../lambdas/protocol/task.ts';
import { fakePorts, type FakePorts } from '../../support/fake-ports.ts';
import { serve } from '../../support/mcp.ts';

const MINUTE_MS = 60_000;

const queueing = (ports: FakePorts = fakePorts()) => serve({}, ports, 'queued');

/** A queued task that was put into the queue so long ago. */
const waitingFor = async (ms: number, over: Partial<TaskRecord> = {}) => {
  const server = queueing();
  const started = await server.startTask();
  const task = server.ports.record(started.ref)!;
  const at = new Date(Date.now() - ms).toISOString();
  server.ports.records.set(partitionKey(task), { ...task, createdAt: at, lastUpdatedAt: at, ...over });
  return { ...server, ...started, executionArn: task.executionArn };
};

describe('a call', () => {
  test('writes the record, with what to start, and nothing else', async () => {
    const { ports, call } = queueing();
    const { body } = await call('build', { what: 'a bridge' });
    expect(body.result).toMatchObject({ resultType: 'task', status: 'working' });
    expect(ports.calls).toEqual(['store.create']);
    const [record] = [...ports.records.values()];
    expect(JSON.parse(record!.queuedInput!)).toEqual({
      task: {
        ...{ id: record!.taskId, key: `alice#${record!.taskId}`, tool: 'build', tenant: 'alice' },
        ...{ createdAt: record!.createdAt, expiresAt: record!.expiresAt },
      },
      arguments: { what: 'a bridge' },
    });
  });

  test('whose write may have worked, though it says otherwise, leaves nothing that would be started', async () => {
    const ports = fakePorts();
    const { create } = ports.store;
    ports.store.create = async (task) => {
      await create(task);
      throw new Error('The answer got lost');
    };
    const { body } = await queueing(ports).call('build', { what: 'a bridge' });
    expect(body.error).toMatchObject({ code: -32603 });
    expect([...ports.records.values()]).toMatchObject([{ status: 'failed' }]);
    expect(ports.calls).toEqual(['store.create', 'store.closeQueued', 'workflows.stop']);
  });
});

test('what a task waits with is no business of its client', async () => {
  const { tasks, taskId } = await waitingFor(0);
  const { body } = await tasks.get(taskId);
  expect(body.result).toMatchObject({ status: 'working' });
  expect(JSON.stringify(body)).not.toMatch(/queuedInput|a bridge/);
});

describe('a cancel', () => {
  test('closes the record first: whoever starts it then finds it closed', async () => {
    const { ports, tasks, taskId, ref } = await waitingFor(0);
    await tasks.cancel(taskId);
    expect(ports.calls).toEqual(['store.get', 'store.closeQueued', 'workflows.stop']);
    expect(ports.record(ref)).toMatchObject({ status: 'cancelled' });
  });

  test('of a task that is started in this moment stops it', async () => {
    const { ports, tasks, taskId, ref, executionArn } = await waitingFor(0);
    ports.during('store.closeQueued', () => void ports.store.dequeue(ref, new Date().toISOString()));
    await tasks.cancel(taskId);
    expect(ports.stopped).toEqual([{ executionArn, reason: 'Cancelled' }]);
    expect(ports.record(ref)).toMatchObject({ status: 'cancelled' });
  });
});

describe('a poll', () => {
  test('lets a task wait for as long as starting it is tried', async () => {
    const { ports, tasks, taskId } = await waitingFor(15 * MINUTE_MS);
    const { body } = await tasks.get(taskId);
    expect(body.result.status).toBe('working');
    expect(ports.calls).toEqual(['store.get']);
  });

  test('gives it up when nobody tries any more', async () => {
    const { ports, tasks, taskId, executionArn } = await waitingFor(17 * MINUTE_MS);
    ports.executions.set(executionArn, { status: 'missing' });
    const { body } = await tasks.get(taskId);
    expect(body.result).toMatchObject({
      status: 'failed',
      error: { message: 'The task could not be started. It is safe to call the tool again.' },
    });
  });

  test('does not give up one that is started between its two looks', async () => {
    const { ports, tasks, taskId, ref, executionArn } = await waitingFor(17 * MINUTE_MS);
    ports.executions.set(executionArn, { status: 'missing' });
    ports.during('workflows.describe', () => void ports.store.dequeue(ref, new Date().toISOString()));
    const { body } = await tasks.get(taskId);
    expect(body.result.status).toBe('working');
  });

  test('leaves one that runs, though its record was never taken out of the queue', async () => {
    const { tasks, taskId } = await waitingFor(17 * MINUTE_MS);
    expect((await tasks.get(taskId)).body.result.status).toBe('working');
  });

  test('ends one whose time is over', async () => {
    const { ports, tasks, taskId, executionArn } = await waitingFor(5_000, { ttlMs: 1_000 });
    ports.executions.set(executionArn, { status: 'missing' });
    const { body } = await tasks.get(taskId);
    expect(body.result).toMatchObject({
      status: 'failed',
      statusMessage: 'The task ran out of its time and was stopped.',
    });
  });
});

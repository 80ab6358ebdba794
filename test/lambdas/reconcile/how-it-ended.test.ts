import { expect, test } from '@jest/globals';
import { howItEnded } from '../../../lambdas/reconcile/how-it-ended.ts';
import { reconcile } from '../../../lambdas/reconcile/reconcile.ts';
import { statusChange } from '../../../lambdas/reconcile/status-change.ts';
import { fakePorts } from '../../support/fake-ports.ts';

test.each([
  [{ status: 'succeeded', output: '{"result":{}}' }, 'completed'],
  [{ status: 'succeeded', output: '{"cancelled":{"Error":"TaskCancelled"}}' }, 'cancelled'],
  [{ status: 'succeeded' }, 'completed'],
  [{ status: 'failed', error: 'States.Runtime' }, 'failed'],
  [{ status: 'timedOut' }, 'expired'],
  [{ status: 'aborted', error: 'Cancelled' }, 'cancelled'],
  [{ status: 'aborted', error: 'OutOfTime' }, 'expired'],
  [{ status: 'aborted', error: 'NotStarted' }, 'failed'],
  [{ status: 'aborted' }, 'cancelled'],
] as const)('%j counts as %s', (execution, ending) => {
  expect(howItEnded(execution)).toBe(ending);
});

test('every end is counted with its duration, and a record that was open as reconciled', async () => {
  const ports = fakePorts();
  const counted: unknown[] = [];
  const metrics = {
    ended: (...ended: unknown[]) => void counted.push(['ended', ...ended]),
    reconciled: (tool: string) => void counted.push(['reconciled', tool]),
  };
  const createdAt = '2026-01-01T00:00:00.000Z';
  const task = {
    id: 'tsk_1',
    key: 'alice#tsk_1',
    tool: 'build',
    tenant: 'alice',
    createdAt,
    expiresAt: null,
  };
  await ports.store.create({
    ...{ taskId: 'tsk_1', tenant: 'alice', tool: 'build', executionArn: 'arn', status: 'working' },
    ...{ createdAt, lastUpdatedAt: createdAt, ttlMs: null, pollIntervalMs: 1_000, inputs: {} },
  });
  const change = statusChange.parse({
    ...{ executionArn: 'arn', status: 'FAILED', error: 'States.Runtime' },
    ...{ input: JSON.stringify({ task, arguments: {} }), stopDate: Date.parse(createdAt) + 5_000 },
  });
  const log = { warn: () => undefined, error: () => undefined };

  await reconcile(change, ports.store, ports.workflows, log, metrics);
  await reconcile(change, ports.store, ports.workflows, log, metrics);

  expect(counted).toEqual([
    ['ended', 'build', 'failed', 5_000],
    ['reconciled', 'build'],
    ['ended', 'build', 'failed', 5_000],
  ]);
});

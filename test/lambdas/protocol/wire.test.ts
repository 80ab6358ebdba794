import { describe, expect, test } from '@jest/globals';
import { isCreateTaskResultV2, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import fc from 'fast-check';
import type { TaskRecord } from '../../../lambdas/protocol/task.ts';
import { createTaskResult, detailedTask } from '../../../lambdas/protocol/wire.ts';
import { QUESTION } from '../../support/tools.ts';

const CREATED = Date.parse('2026-08-01T12:00:00.000Z');

const working: TaskRecord = {
  taskId: 'tsk_0123456789abcdefghijkl',
  tenant: 'alice',
  tool: 'build',
  executionArn: 'arn:aws:states:eu-central-1:123456789012:execution:build:tsk_0123456789abcdefghijkl',
  status: 'working',
  createdAt: new Date(CREATED).toISOString(),
  lastUpdatedAt: new Date(CREATED).toISOString(),
  ttlMs: 86_400_000,
  pollIntervalMs: 500,
  inputs: {},
};

/** Any record that the writers can leave behind. */
const record = fc
  .record({
    message: fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }),
    ttlMs: fc.option(fc.nat(), { nil: null }),
    pollIntervalMs: fc.integer({ min: 1, max: 120_000 }),
    keys: fc.uniqueArray(fc.stringMatching(/^[a-z_]{1,20}-[0-9a-f]{8}$/), { maxLength: 3 }),
    end: fc.constantFrom('working', 'completed', 'failed', 'cancelled'),
    text: fc.string({ unit: 'grapheme' }),
  })
  .map(({ message, ttlMs, pollIntervalMs, keys, end, text }): TaskRecord => {
    const task = { ...working, ttlMs, pollIntervalMs, statusMessage: message };
    const inputs = Object.fromEntries(
      keys.map((key) => [key, { request: JSON.stringify(QUESTION), token: `token ${key}` }]),
    );
    switch (end) {
      case 'completed':
        return {
          ...task,
          status: 'completed',
          result: JSON.stringify({ resultType: 'complete', content: [{ type: 'text', text }] }),
        };
      case 'failed':
        return { ...task, status: 'failed', error: JSON.stringify({ code: -32603, message: text }) };
      case 'cancelled':
        return { ...task, status: 'cancelled' };
      default:
        return { ...task, status: 'working', inputs };
    }
  });

test('a status message is for a line on a screen: of a longer one the start is shown', () => {
  const { statusMessage } = detailedTask({ ...working, statusMessage: '💥'.repeat(1_000) }, CREATED);
  expect(statusMessage).toBe('💥'.repeat(500));
});

test('every record reads as a task of the extension, and shows nothing of how it is run', () => {
  fc.assert(
    fc.property(record, fc.nat(), (task, age) => {
      const shown = detailedTask(task, CREATED + age);
      expect(isDetailedTaskV2(shown)).toBe(true);
      expect(isCreateTaskResultV2(createTaskResult(task, CREATED + age))).toBe(true);
      for (const internal of ['tenant', 'tool', 'executionArn', 'inputs', 'pk', 'expiresAt']) {
        expect(shown).not.toHaveProperty(internal);
      }
      expect(JSON.stringify(shown)).not.toContain('arn:aws');
    }),
  );
});

test('each state has its own payload, and only that', () => {
  fc.assert(
    fc.property(record, (task) => {
      const shown = detailedTask(task, CREATED);
      expect('inputRequests' in shown).toBe(shown.status === 'input_required');
      expect('result' in shown).toBe(shown.status === 'completed');
      expect('error' in shown).toBe(shown.status === 'failed');
      expect(shown.status === 'input_required').toBe(Object.keys(task.inputs).length > 0);
    }),
  );
});

describe('the poll interval', () => {
  const intervalAt = (age: number, suggested = 500): number =>
    detailedTask({ ...working, pollIntervalMs: suggested }, CREATED + age).pollIntervalMs!;

  test.each([
    ['just created', 0, 500],
    ['10 seconds old', 10_000, 500],
    ['a minute old', 60_000, 3_000],
    ['5 minutes old', 300_000, 15_000],
    ['10 minutes old', 600_000, 30_000],
    ['a day old', 86_400_000, 30_000],
    ['from a clock that runs ahead', -5_000, 500],
  ])('of a task %s', (_, age, expected) => {
    expect(intervalAt(age)).toBe(expected);
  });

  test('a slower suggestion of the tool is kept', () => {
    expect(intervalAt(86_400_000, 60_000)).toBe(60_000);
  });

  test('never sinks, neither with age nor below the suggestion, and is a whole number', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 120_000 }), (age, later, suggested) => {
        const now = intervalAt(age, suggested);
        expect(now).toBeGreaterThanOrEqual(suggested);
        expect(intervalAt(age + later, suggested)).toBeGreaterThanOrEqual(now);
        expect(Number.isInteger(now)).toBe(true);
      }),
    );
  });
});

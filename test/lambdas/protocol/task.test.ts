import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { expiresAt, isTaskId, newTaskId, partitionKey } from '../../../lambdas/protocol/task.ts';

const taskId = fc.stringMatching(/^tsk_[A-Za-z0-9_-]{22,76}$/);

describe('a task id', () => {
  test('names an execution too: at most 80 characters that Step Functions and a header take', () => {
    for (let made = 0; made < 1_000; made += 1) {
      const id = newTaskId();
      expect(id).toMatch(/^tsk_[A-Za-z0-9_-]{1,76}$/);
      expect(isTaskId(id)).toBe(true);
    }
  });

  test('has 128 random bits', () => {
    const bytes = Buffer.from(newTaskId().slice('tsk_'.length), 'base64url');
    const ids = new Set(Array.from({ length: 1_000 }, newTaskId));

    expect(bytes).toHaveLength(16);
    expect(ids.size).toBe(1_000);
  });

  test.each([
    '',
    'tsk_',
    'tsk_short',
    `tsk_${'x'.repeat(77)}`,
    `tsk_${'x'.repeat(22)}\n`,
    ` tsk_${'x'.repeat(22)}`,
  ])('%j is none', (id) => {
    expect(isTaskId(id)).toBe(false);
  });

  test('never has a character that could reach out of its place in a key, a name or a path', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), taskId, fc.nat(), (foreign, id, at) => {
        const place = at % id.length;
        const changed = id.slice(0, place) + foreign + id.slice(place);
        expect(isTaskId(changed)).toBe(/^tsk_[A-Za-z0-9_-]{22,76}$/.test(changed));
        expect(isTaskId(changed) && /[^A-Za-z0-9_-]/.test(changed)).toBe(false);
      }),
    );
  });
});

test('no two owners share a key, whatever their tenants are called', () => {
  fc.assert(
    fc.property(
      fc.record({ tenant: fc.string(), taskId }),
      fc.record({ tenant: fc.string(), taskId }),
      (one, other) => {
        const same = one.tenant === other.tenant && one.taskId === other.taskId;
        expect(partitionKey(one) === partitionKey(other)).toBe(same);
      },
    ),
  );
  expect(partitionKey({ tenant: 'a#tsk_b', taskId: 'tsk_c' })).toBe('a#tsk_b#tsk_c');
});

describe('expiry', () => {
  test('is in whole epoch seconds, as DynamoDB wants it, and never early', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
        fc.nat(),
        (date, ttlMs) => {
          const at = expiresAt({ createdAt: date.toISOString(), ttlMs })!;
          expect(Number.isInteger(at)).toBe(true);
          expect(at * 1000).toBeGreaterThanOrEqual(date.getTime() + ttlMs);
          expect(at * 1000).toBeLessThan(date.getTime() + ttlMs + 1000);
        },
      ),
    );
  });

  test('null means unlimited', () => {
    expect(expiresAt({ createdAt: new Date().toISOString(), ttlMs: null })).toBeUndefined();
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { migrations, type CustomerRecord } from '../../tools/run_migration/migrations.ts';

const record: fc.Arbitrary<CustomerRecord> = fc.record({
  id: fc.uuid(),
  version: fc.nat(),
  email: fc.oneof(fc.emailAddress(), fc.string({ unit: 'grapheme' })),
  plan: fc.constantFrom('free', 'starter', 'team', 'FREE', ''),
  status: fc.constantFrom('active', 'closed'),
});

const ada: CustomerRecord = {
  id: 'cus_1',
  version: 7,
  email: 'Ada@Example.com',
  plan: 'free',
  status: 'active',
};

describe.each(Object.entries(migrations))('%s', (_, { decide, description }) => {
  test('says in a sentence what it does', () => {
    expect(description).toMatch(/^[A-Z].*\.$/);
  });

  test('keeps what it has migrated already: a batch may be repeated', () => {
    fc.assert(
      fc.property(record, (before) => {
        const change = decide(before);
        if (change.action === 'update') expect(decide(change.record)).toEqual({ action: 'keep' });
      }),
    );
  });

  test('decides by the record alone, and does not touch it', () => {
    fc.assert(
      fc.property(record, (before) => {
        const copy = structuredClone(before);
        expect(decide(before)).toEqual(decide(copy));
        expect(before).toEqual(copy);
      }),
    );
  });

  test('an update is the next version of the same record', () => {
    fc.assert(
      fc.property(record, (before) => {
        const change = decide(before);
        if (change.action === 'update') {
          expect(change.record).toMatchObject({ id: before.id, version: before.version + 1 });
        }
      }),
    );
  });
});

describe('lowercase_emails', () => {
  const { decide } = migrations['lowercase_emails']!;

  test('changes the address, and nothing else', () => {
    expect(decide(ada)).toEqual({
      action: 'update',
      record: { ...ada, version: 8, email: 'ada@example.com' },
    });
  });

  test('keeps an address that is in lower case', () => {
    expect(decide({ ...ada, email: 'ada@example.com' })).toEqual({ action: 'keep' });
  });

  test('never deletes', () => {
    fc.assert(fc.property(record, (before) => decide(before).action !== 'delete'));
  });
});

describe('retire_free_plan', () => {
  const { decide } = migrations['retire_free_plan']!;

  test.each<[string, Partial<CustomerRecord>, ReturnType<typeof decide>]>([
    ['a closed account is deleted', { status: 'closed' }, { action: 'delete' }],
    ['on any plan', { status: 'closed', plan: 'team' }, { action: 'delete' }],
    [
      'an active one on the free plan moves to the starter plan',
      {},
      { action: 'update', record: { ...ada, version: 8, plan: 'starter' } },
    ],
    ['an active one on another plan is kept', { plan: 'team' }, { action: 'keep' }],
  ])('%s', (_, changed, expected) => {
    expect(decide({ ...ada, ...changed })).toEqual(expected);
  });
});

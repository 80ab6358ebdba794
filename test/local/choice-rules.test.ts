import { expect, test } from '@jest/globals';
import { ruleApplies } from '../../local/step-functions/data/choice-rules.ts';

const data = { text: 'b', number: 5, yes: true, nothing: null, at: '2026-07-28T10:00:00Z', other: 'c' };
const rule = (path: string, comparison: object) => ({ Variable: path, ...comparison });

test.each([
  rule('$.text', { StringEquals: 'b' }),
  rule('$.text', { StringLessThanPath: '$.other' }),
  rule('$.text', { StringMatches: '*' }),
  rule('$.number', { NumericGreaterThanEquals: 5 }),
  rule('$.yes', { BooleanEquals: true }),
  rule('$.at', { TimestampEquals: '2026-07-28T12:00:00+02:00' }),
  rule('$.missing', { IsPresent: false }),
  rule('$.nothing', { IsPresent: true }),
  rule('$.nothing', { IsNull: true }),
  rule('$.text', { IsNumeric: false }),
  rule('$.at', { IsTimestamp: true }),
  { And: [rule('$.missing', { IsPresent: false }), { Not: rule('$.text', { StringEquals: 'x' }) }] },
  { Or: [rule('$.text', { StringEquals: 'x' }), rule('$.number', { NumericLessThan: 6 })] },
])('%j applies', (one) => {
  expect(ruleApplies(one, { data, context: {} })).toBe(true);
});

test.each([
  // A value of another type is no match, and no error.
  rule('$.text', { NumericLessThan: 10 }),
  rule('$.nothing', { NumericLessThan: 10 }),
  rule('$.number', { StringEquals: '5' }),
  rule('$.text', { StringMatches: '\\*' }),
  rule('$.text', { TimestampLessThan: '2026-07-28T10:00:00Z' }),
  rule('$.nothing', { IsPresent: false }),
])('%j does not apply', (one) => {
  expect(ruleApplies(one, { data, context: {} })).toBe(false);
});

test('a variable that is not there fails the state', () => {
  const missing = rule('$.missing', { StringEquals: 'x' });
  expect(() => ruleApplies(missing, { data, context: {} })).toThrow(
    expect.objectContaining({ name: 'States.Runtime' }),
  );
});

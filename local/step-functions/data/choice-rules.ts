import type { ChoiceRule } from '../definition.ts';
import { runtimeError } from '../errors.ts';
import type { Json } from '../json.ts';
import { findPath, readPath, type Source } from './paths.ts';

/** Whether a rule of a Choice state applies. @throws States.Runtime if its Variable leads nowhere */
export const ruleApplies = (rule: ChoiceRule, source: Source): boolean => {
  if (rule.And) return rule.And.every((part) => ruleApplies(part, source));
  if (rule.Or) return rule.Or.some((part) => ruleApplies(part, source));
  if (rule.Not) return !ruleApplies(rule.Not, source);

  const path = String(rule.Variable);
  if ('IsPresent' in rule) return (findPath(path, source) !== undefined) === rule.IsPresent;
  const value = readPath(path, source);
  for (const [name, expected] of Object.entries(rule)) {
    const isType = TYPE_TESTS[name];
    if (isType) return isType(value) === expected;
    const compare = COMPARISONS[name.replace(/Path$/, '')];
    if (compare)
      return compare(value, name.endsWith('Path') ? readPath(String(expected), source) : (expected as Json));
  }
  throw runtimeError(`The local engine does not know the choice rule ${JSON.stringify(rule)}.`);
};

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const isTimestamp = (value: Json): value is string => typeof value === 'string' && RFC3339.test(value);

const TYPE_TESTS: Record<string, (value: Json) => boolean> = {
  IsNull: (value) => value === null,
  IsString: (value) => typeof value === 'string',
  IsNumeric: (value) => typeof value === 'number',
  IsBoolean: (value) => typeof value === 'boolean',
  IsTimestamp: isTimestamp,
};

type Compare = (value: Json, expected: Json) => boolean;

/** Values of another type than the comparison's are no match, and no error. */
const orderings = <T extends string | number>(
  type: string,
  read: (value: Json) => T | undefined,
): Record<string, Compare> => {
  const both =
    (test: (a: T, b: T) => boolean): Compare =>
    (value, expected) => {
      const [a, b] = [read(value), read(expected)];
      return a !== undefined && b !== undefined && test(a, b);
    };
  return {
    [`${type}Equals`]: both((a, b) => a === b),
    [`${type}LessThan`]: both((a, b) => a < b),
    [`${type}LessThanEquals`]: both((a, b) => a <= b),
    [`${type}GreaterThan`]: both((a, b) => a > b),
    [`${type}GreaterThanEquals`]: both((a, b) => a >= b),
  };
};

const COMPARISONS: Record<string, Compare> = {
  ...orderings('String', (value) => (typeof value === 'string' ? value : undefined)),
  ...orderings('Numeric', (value) => (typeof value === 'number' ? value : undefined)),
  ...orderings('Timestamp', (value) => (isTimestamp(value) ? Date.parse(value) : undefined)),
  BooleanEquals: (value, expected) => typeof value === 'boolean' && value === expected,
  StringMatches: (value, pattern) => typeof value === 'string' && wildcard(String(pattern)).test(value),
};

/** `*` stands for any characters, `\*` for itself. */
const wildcard = (pattern: string): RegExp => {
  const source = pattern.replace(/\\(.)|\*|[^\\*]+/gs, (part, escaped?: string) =>
    part === '*' ? '.*' : (escaped ?? part).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return new RegExp(`^${source}$`, 's');
};

/** An event pattern: the same shape as the event, with the accepted values at its leaves. */
export interface EventPattern {
  [member: string]: unknown[] | EventPattern;
}

/** Whether an event fits: by equality, or `exists`. @throws on other content filters, which are not known here */
export const matches = (pattern: EventPattern, event: Record<string, unknown>): boolean =>
  Object.entries(pattern).every(([name, expected]) => {
    if (!Array.isArray(expected)) {
      return matches(expected, (event[name] ?? {}) as Record<string, unknown>);
    }
    return expected.some((value) => fits(value, event[name]));
  });

const fits = (expected: unknown, value: unknown): boolean => {
  if (typeof expected !== 'object' || expected === null) return expected === value;
  const { exists, ...others } = expected as { exists?: boolean };
  if (exists === undefined || Object.keys(others).length > 0) {
    throw new Error(`The local engine does not know the event filter ${JSON.stringify(expected)}.`);
  }
  return exists === (value !== undefined);
};

/** An event pattern: the same shape as the event, with the accepted values at its leaves. */
export interface EventPattern {
  [member: string]: unknown[] | EventPattern;
}

/** Whether an event fits. Values are compared for equality; content filters are not known here. @throws on those */
export const matches = (pattern: EventPattern, event: Record<string, unknown>): boolean =>
  Object.entries(pattern).every(([name, expected]) => {
    if (!Array.isArray(expected)) {
      return matches(expected, (event[name] ?? {}) as Record<string, unknown>);
    }
    const filter = expected.find((value) => typeof value === 'object' && value !== null);
    if (filter) throw new Error(`The local engine does not know the event filter ${JSON.stringify(filter)}.`);
    return expected.includes(event[name]);
  });

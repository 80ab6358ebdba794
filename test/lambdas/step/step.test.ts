import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ProtocolError, step, ToolError } from '../../../lambdas/step/index.ts';

/** Step Functions keeps this much of an error's cause; a longer one is cut, and no JSON any more. */
const CAUSE_LIMIT = 32_768;

/** What the Lambda runtime reports of an error, and Step Functions hands on as its cause. */
const causeOf = (error: Error): string =>
  JSON.stringify({ errorType: error.name, errorMessage: error.message, trace: error.stack?.split('\n') });

/** The texts that JSON makes longest, and ones that are long already. */
const LONG = {
  letters: 'x',
  quotes: '"',
  backslashes: '\\',
  'line ends': '\n',
  'control characters': '\u0000',
  emoji: '👩‍👩‍👧',
  ideographs: '漢',
};
const long = Object.entries(LONG).map(([kind, text]) => ({ kind, message: text.repeat(10_000) }));

test('a step gets its input and its task, and its result is the state’s', async () => {
  const task = {
    id: 'tsk_1',
    key: 'alice#tsk_1',
    tool: 'build',
    tenant: 'alice',
    createdAt: '',
    expiresAt: null,
  };
  const handler = step(async (input: { a: number }, { id }) => ({ a: input.a + 1, id }));

  expect(await handler({ input: { a: 1 }, task })).toEqual({ a: 2, id: 'tsk_1' });
});

test('a step that throws rejects with that very error', async () => {
  const error = new ToolError('No such customer.');
  const handler = step(() => Promise.reject(error));

  await expect(handler({ input: {}, task: {} as never })).rejects.toBe(error);
});

describe('ToolError', () => {
  test('has the name that the workflow catches it by, also when a bundler has renamed its class', () => {
    const error = new ToolError('No such customer.');

    expect(error.name).toBe('ToolError');
    expect(Object.getOwnPropertyDescriptor(error, 'name')?.value).toBe('ToolError');
    expect(error).toBeInstanceOf(Error);
    expect(error.message).toBe('No such customer.');
  });

  test('keeps 4,000 characters of its message', () => {
    expect(new ToolError('x'.repeat(4_000)).message).toHaveLength(4_000);
    expect(new ToolError('x'.repeat(4_001)).message).toHaveLength(4_000);
  });

  test('does not cut a character in two', () => {
    const { message } = new ToolError(`${'x'.repeat(3_999)}🦆🦆`);

    expect(Buffer.from(message).toString()).toBe(message);
  });

  test.each(long)('of 10,000 $kind fits into a cause', ({ message }) => {
    expect(causeOf(new ToolError(message)).length <= CAUSE_LIMIT).toBe(true);
  });
});

describe('ProtocolError', () => {
  test('carries code and message through a report that has room for a name and a text only', () => {
    const error = new ProtocolError(-32602, 'No such "customer".');

    expect(error.name).toBe('ProtocolError');
    expect(JSON.parse(error.message)).toEqual({ code: -32602, message: 'No such "customer".' });
  });

  test('keeps 2,000 characters of its message', () => {
    expect(JSON.parse(new ProtocolError(-32603, 'x'.repeat(2_001)).message).message).toHaveLength(2_000);
  });

  test.each(long)('of 10,000 $kind fits into a cause', ({ message }) => {
    expect(causeOf(new ProtocolError(-32603, message)).length <= CAUSE_LIMIT).toBe(true);
  });

  test('can be read back out of the report, whatever its message', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (message) => {
        const { errorMessage } = JSON.parse(causeOf(new ProtocolError(-32603, message)));
        expect(JSON.parse(errorMessage)).toEqual({ code: -32603, message });
      }),
    );
  });
});

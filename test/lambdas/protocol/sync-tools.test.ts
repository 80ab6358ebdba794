import { describe, expect, test } from '@jest/globals';
import { serve } from '../../support/mcp.ts';
import { SECRET } from '../../support/tools.ts';

test('answers within the request, and makes no task', async () => {
  const { ports, call } = serve();
  const { body } = await call('add', { a: 1, b: 2 });

  expect(body.result).toMatchObject({
    resultType: 'complete',
    content: [{ type: 'text', text: '3' }],
    structuredContent: { sum: 3 },
  });
  expect(ports.calls).toEqual([]);
});

test('a ToolError is a result for the model to read', async () => {
  const { call, logged } = serve();
  const { body } = await call('refuse');

  expect(body.result).toMatchObject({
    resultType: 'complete',
    isError: true,
    content: [{ type: 'text', text: 'No such customer.' }],
  });
  expect(logged).toEqual([]);
});

test('any other error is told in neutral words; operators get the cause', async () => {
  const { call, logged } = serve();
  const { body } = await call('crash');

  expect(body.error?.code).toBe(-32603);
  expect(JSON.stringify(body)).not.toMatch(/arn:|Cannot read|\.ts/);
  expect(String(logged[0]?.details['error'])).toContain(SECRET);
});

test('a result that breaks the output schema is not delivered', async () => {
  const { call, logged } = serve();
  const { body } = await call('lie');

  expect(body).not.toHaveProperty('result');
  expect(body.error?.code).toBe(-32603);
  expect(JSON.stringify(body)).not.toContain(SECRET);
  expect(logged).toHaveLength(1);
});

describe('a tool that does not exist', () => {
  test.each(['nope', 'toString', '__proto__', 'constructor'])('%s', async (name) => {
    const { ports, call } = serve();
    const { body } = await call(name, {});

    expect(body.error?.code).toBe(-32602);
    expect(body.error?.message).toContain(name);
    expect(ports.calls).toEqual([]);
  });
});

describe('arguments that do not fit are a result the model can mend, and nothing is written', () => {
  test.each([
    ['missing', 'build', undefined, 'what'],
    ['empty', 'build', {}, 'what'],
    ['too short', 'build', { what: '' }, 'what'],
    ['of another type', 'build', { what: 5 }, 'what'],
    ['null', 'build', { what: null }, 'what'],
    ['of another type, in a synchronous tool', 'add', { a: 1, b: '2' }, 'b'],
  ])('%s', async (_, tool, args, field) => {
    const { ports, call } = serve();
    const { status, body } = await call(tool, args);

    expect(status).toBe(200);
    expect(body.result).toMatchObject({ resultType: 'complete', isError: true });
    const { text } = body.result.content[0];
    expect(text).toContain(`Invalid arguments for ${tool}`);
    expect(text).toContain(`at ${field}`);
    expect(ports.calls).toEqual([]);
  });

  test.each([[[]], 'text', 5])('arguments that are no object (%j) are an invalid request', async (args) => {
    const { ports, call } = serve();
    const { body } = await call('build', args);

    expect(body.error?.code).toBe(-32602);
    expect(ports.calls).toEqual([]);
  });
});

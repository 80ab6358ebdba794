import { expect, test } from '@jest/globals';
import { evaluateExpression } from '../../local/step-functions/data/payload.ts';
import type { Json } from '../../local/step-functions/json.ts';

const evaluate = (expression: string, data: Json = {}): Json =>
  evaluateExpression(expression, { data, context: { Execution: { Name: 'e1' } } });

test.each<[string, Json, Json]>([
  [`States.Format('{} of {}: {}', 1, $.total, $.ok)`, { total: 3, ok: true }, '1 of 3: true'],
  [`States.Format('It\\'s \\{{}\\}, \\\\ too', $$.Execution.Name)`, {}, `It's {e1}, \\ too`],
  [`States.Format('(a, b) {}', $['odd key'])`, { 'odd key': 'x' }, '(a, b) x'],
  [
    `States.JsonToString($.text)`,
    { text: 'one "line"\nand \\ another' },
    '"one \\"line\\"\\nand \\\\ another"',
  ],
  [`States.StringToJson($)`, '{"a":"\\"q\\""}', { a: '"q"' }],
  [`States.StringToJson(States.JsonToString($))`, { a: ['"', '\n'] }, { a: ['"', '\n'] }],
  [`States.JsonMerge($.a, $.b, false)`, { a: { x: 1, y: 1 }, b: { y: 2 } }, { x: 1, y: 2 }],
  [`States.Array('a', $.b, States.Array(), null, -1.5)`, { b: 2 }, ['a', 2, [], null, -1.5]],
  [`States.ArrayPartition($, 2)`, [1, 2, 3], [[1, 2], [3]]],
  [`States.ArrayContains($, $[1])`, [1, { a: 1 }], true],
  [`States.ArrayRange(1, 9, 4)`, {}, [1, 5, 9]],
  [`States.ArrayGetItem($, 1)`, ['a', 'b'], 'b'],
  [`States.ArrayLength($)`, [1, 2], 2],
  [`States.ArrayUnique($)`, [1, 2, 1], [1, 2]],
  [`States.Base64Decode(States.Base64Encode('ü'))`, {}, 'ü'],
  [`States.Hash('abc', 'SHA-1')`, {}, 'a9993e364706816aba3e25717850c26c9cd0d89d'],
  [`States.MathAdd(1, -3)`, {}, -2],
  [`States.StringSplit('a.b+c', '.+')`, {}, ['a', 'b', 'c']],
  [`$.list[?(@.n > 1)].n`, { list: [{ n: 1 }, { n: 2 }] }, [2]],
  [`$.list[*]`, { list: [] }, []],
])('%s', (expression, data, expected) => {
  expect(evaluate(expression, data)).toEqual(expected);
});

test.each([
  [`$.missing`, 'States.Runtime'],
  [`States.Unknown()`, 'States.Runtime'],
  [`States.Format('{}'`, 'States.Runtime'],
  [`States.Format('{} {}', 1)`, 'States.IntrinsicFailure'],
  [`States.StringToJson('no json')`, 'States.IntrinsicFailure'],
])('%s fails with %s', (expression, name) => {
  expect(() => evaluate(expression)).toThrow(expect.objectContaining({ name }));
});

import { expect, test } from '@jest/globals';
import { withEngine } from './fixture/engine.ts';

const pass = (fields: object) => ({ StartAt: 'P', States: { P: { Type: 'Pass', End: true, ...fields } } });
const BIG = 262_144;

const bed = withEngine({
  FalsyResult: pass({ Result: 0 }),
  RootResultPath: pass({ Result: 1, ResultPath: '$' }),
  DeepResultPath: pass({ Result: 1, ResultPath: "$.a['b c'].d" }),
  Discard: pass({ Result: 1, ResultPath: null }),
  NoInput: pass({ InputPath: null }),
  NoOutput: pass({ OutputPath: null }),
  Selected: pass({ InputPath: '$.a', Parameters: { 'x.$': '$.b' }, ResultPath: '$.r', OutputPath: '$.r' }),
  NoObject: pass({ Result: 1, ResultPath: '$.r' }),
  Selector: {
    StartAt: 'T',
    States: {
      T: {
        Type: 'Task',
        Resource: '${Worker.Arn}',
        Parameters: { 'echo.$': '$.text' },
        ResultSelector: { 'words.$': `States.Format('{}!', $.echo)` },
        ResultPath: '$.result',
        End: true,
      },
    },
  },
  LambdaInvoke: {
    StartAt: 'T',
    States: {
      T: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke',
        Parameters: { FunctionName: '${Worker.Arn}', 'Payload.$': '$' },
        End: true,
      },
    },
  },
  Big: {
    StartAt: 'T',
    States: {
      T: {
        Type: 'Task',
        Resource: '${Worker.Arn}',
        End: true,
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }],
      },
      Caught: { Type: 'Succeed' },
    },
  },
  Missing: {
    StartAt: 'P',
    States: {
      P: {
        Type: 'Parallel',
        Branches: [
          { StartAt: 'Q', States: { Q: { Type: 'Pass', Parameters: { 'x.$': '$.missing' }, End: true } } },
        ],
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }],
        End: true,
      },
      Caught: { Type: 'Succeed' },
    },
  },
  Unknown: {
    StartAt: 'T',
    States: { T: { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage', Parameters: {}, End: true } },
  },
});

test.each<[string, unknown, unknown]>([
  ['FalsyResult', { a: 1 }, 0],
  ['RootResultPath', { a: 1 }, 1],
  ['DeepResultPath', { a: { x: 1 } }, { a: { x: 1, 'b c': { d: 1 } } }],
  ['Discard', { a: 1 }, { a: 1 }],
  ['NoInput', { a: 1 }, {}],
  ['NoOutput', { a: 1 }, {}],
  ['Selected', { a: { b: [1, 2] } }, { x: [1, 2] }],
  ['Selector', { text: 'say "hi"' }, { text: 'say "hi"', result: { words: 'say "hi"!' } }],
  ['LambdaInvoke', { a: 1 }, expect.objectContaining({ StatusCode: 200, Payload: { a: 1 } })],
  ['Big', { do: 'size', size: BIG - 2 }, 'x'.repeat(BIG - 2)],
])('%s', async (machine, input, output) => {
  expect(await bed.run(machine, input)).toEqual(output);
});

test.each([
  ['NoObject', 'text', /FAILED States.ResultPathMatchFailure/],
  // Neither of these two can be caught.
  ['Big', { do: 'size', size: BIG - 1 }, /FAILED States.DataLimitExceeded/],
  ['Missing', {}, /FAILED States.Runtime: .*'\$\.missing'/],
  ['Unknown', {}, /FAILED States.Runtime: .*arn:aws:states:::sqs:sendMessage/],
])('%s fails', async (machine, input, message) => {
  await expect(bed.run(machine, input)).rejects.toThrow(message);
});

import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readAssembly } from '../../local/synth.ts';
import { mermaid } from '../../scripts/mermaid.ts';
import { workflowsPage } from '../../scripts/workflows-page.ts';

test('docs/workflows.md is what `npm run diagrams` makes of the deployed state machines', () => {
  const page = workflowsPage(readAssembly(process.env['TEST_ASSEMBLY']!));

  expect(readFileSync('docs/workflows.md', 'utf8')).toBe(page);
});

test('a picture has every state, choice and error, and no quote of a name can end a label', () => {
  const picture = mermaid({
    StartAt: 'Ask "why"',
    States: {
      'Ask "why"': {
        Type: 'Task',
        Next: 'Known?',
        Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'Give up' }],
      },
      'Known?': {
        Type: 'Choice',
        Choices: [
          { Variable: '$.count', NumericGreaterThan: 3, Next: 'Each' },
          {
            And: [{ Variable: '$.a', IsPresent: true }, { Not: { Variable: '$.b', StringEquals: 'x' } }],
            Next: 'Each',
          },
        ],
        Default: 'Give up',
      },
      Each: {
        Type: 'Map',
        ItemProcessor: { StartAt: 'One', States: { One: { Type: 'Pass' } } },
        Next: 'Done',
      },
      'Give up': { Type: 'Fail' },
      Done: { Type: 'Succeed' },
    },
  });

  expect(picture.split('\n').map((line) => line.trim())).toEqual([
    'flowchart TD',
    's1[["Ask #34;why#34;"]]',
    's2{{"Known?"}}',
    'subgraph s3 ["Each"]',
    'direction TB',
    's6["One"]',
    'end',
    's4>"Give up"]',
    's5((("Done")))',
    'start(( )) --> s1',
    's1 --> s2',
    's1 -. "States.Timeout" .-> s4',
    's2 -- "$.count #62; 3" --> s3',
    's2 -- "$.a is present and not ($.b = #34;x#34;)" --> s3',
    's2 -- "otherwise" --> s4',
    's3 --> s5',
  ]);
});

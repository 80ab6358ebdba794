import { expect, test } from '@jest/globals';
import { withEngine } from './fixture/engine.ts';

/** Reads the context object, in a Pass state. */
const look = (name: string) => ({
  Type: 'Pass',
  Parameters: {
    'execution.$': '$$.Execution.Name',
    'task.$': '$$.Execution.Input.task',
    'state.$': '$$.State.Name',
    'entered.$': '$$.State.EnteredTime',
    'machine.$': '$$.StateMachine.Name',
    'words.$': `States.Format('{} in {}', $$.State.Name, $$.Execution.Input.task)`,
    literal: '$$.Execution.Name',
  },
  ...(name === 'Top' ? { Next: 'Each' } : { End: true }),
});

const bed = withEngine({
  Context: {
    StartAt: 'Top',
    States: {
      Top: look('Top'),
      Each: {
        Type: 'Map',
        ItemsPath: '$$.Execution.Input.items',
        ItemSelector: { 'index.$': '$$.Map.Item.Index', 'value.$': '$$.Map.Item.Value' },
        ItemProcessor: {
          StartAt: 'Both',
          States: {
            Both: {
              Type: 'Parallel',
              Branches: [
                { StartAt: 'Deep', States: { Deep: look('Deep') } },
                {
                  StartAt: 'Item',
                  States: {
                    Item: {
                      Type: 'Pass',
                      Parameters: { 'input.$': '$', 'item.$': '$$.Map.Item.Value' },
                      End: true,
                    },
                  },
                },
              ],
              End: true,
            },
          },
        },
        End: true,
      },
    },
  },
  ChoiceByContext: {
    StartAt: 'In a branch',
    States: {
      'In a branch': {
        Type: 'Parallel',
        Branches: [
          {
            StartAt: 'Whose',
            States: {
              Whose: {
                Type: 'Choice',
                Choices: [
                  { Variable: '$$.Execution.Input.owner', StringEqualsPath: '$.owner', Next: 'Mine' },
                  { Variable: '$.missing', IsPresent: false, Next: 'Theirs' },
                ],
              },
              Mine: { Type: 'Pass', Result: 'mine', End: true },
              Theirs: { Type: 'Pass', Result: 'theirs', End: true },
            },
          },
        ],
        Parameters: { owner: 'me' },
        OutputPath: '$[0]',
        End: true,
      },
    },
  },
});

test('the context object is the same at every depth', async () => {
  const items = ['a', 'b'];
  const name = 'my-execution';
  const { output } = await bed.ended(await bed.start('Context', { task: 't1', items }, name));
  const [[deep, item], [, secondItem]] = JSON.parse(output as string);
  expect(deep).toEqual({
    execution: name,
    task: 't1',
    state: 'Deep',
    entered: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    machine: 'Context',
    words: 'Deep in t1',
    literal: '$$.Execution.Name',
  });
  expect(item).toEqual({ input: { index: 0, value: 'a' }, item: 'a' });
  expect(secondItem).toEqual({ input: { index: 1, value: 'b' }, item: 'b' });
});

test('a choice reads the context object too', async () => {
  expect(await bed.run('ChoiceByContext', { owner: 'me' })).toBe('mine');
  expect(await bed.run('ChoiceByContext', { owner: 'you' })).toBe('theirs');
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import { appTemplate, nextOf, statesOf, type Definition, type Synthesized } from '../support/template.ts';

let app: Synthesized;
beforeAll(() => {
  app = appTemplate();
});

/** The author's own chain: the one branch of the try around it. */
const chainOf = (tool: string): Definition => app.definition(tool).States[`Run ${tool}`]!.Branches![0]!;

/** Name → where it leads to: what a person sees in the console. */
const graphOf = (tool: string): Record<string, string[]> =>
  Object.fromEntries(Object.entries(chainOf(tool).States).map(([name, state]) => [name, nextOf(state)]));

test('countdown reads as its sentence', () => {
  expect(chainOf('countdown').StartAt).toBe('Announce');
  expect(graphOf('countdown')).toEqual({
    Announce: ['Count down'],
    'Count down': ['Lift-off'],
    'Lift-off': [],
  });
});

describe('run_migration', () => {
  test('reads as its sentence: plan, confirm, apply batch by batch, report', () => {
    expect(chainOf('run_migration').StartAt).toBe('Plan the migration');
    expect(graphOf('run_migration')).toEqual({
      'Plan the migration': ['What is there to do?'],
      'What is there to do?': [
        'Apply a batch',
        'Report that there is nothing to do',
        'Prepare confirm_delete',
      ],
      'Report that there is nothing to do': [],
      'Prepare confirm_delete': ['Ask confirm_delete'],
      'Ask confirm_delete': ['Answered confirm_delete', 'Unanswered confirm_delete'],
      'Answered confirm_delete': ['Was it confirmed?'],
      'Unanswered confirm_delete': ['Nobody answered confirm_delete'],
      'Nobody answered confirm_delete': [],
      'Was it confirmed?': ['Report that it was declined', 'Apply a batch'],
      'Report that it was declined': [],
      'Apply a batch': ['Report progress'],
      'Report progress': ['Is it finished?'],
      'Is it finished?': ['Apply a batch', 'Report the migration'],
      'Report the migration': [],
    });
  });

  test('deletes nothing without a yes: only an accepted form with `confirm` true leads on', () => {
    const { Choices, Default } = chainOf('run_migration').States['Was it confirmed?']!;

    expect(Default).toBe('Report that it was declined');
    expect(Choices).toEqual([
      {
        Next: 'Apply a batch',
        And: [
          { Variable: '$.confirm_delete.response.action', StringEquals: 'accept' },
          { Variable: '$.confirm_delete.response.content.confirm', IsPresent: true },
          { Variable: '$.confirm_delete.response.content.confirm', BooleanEquals: true },
        ],
      },
    ]);
  });

  test('every report fits the tool’s output schema, and has all of it', () => {
    const reports = statesOf(app.definition('run_migration'))
      .filter(([name]) => name.startsWith('Report ') && name !== 'Report progress')
      .map(([, { Parameters }]) => Parameters.structuredContent);

    expect(reports).toHaveLength(3);
    for (const { outcome, ...paths } of reports) {
      expect(['applied', 'declined', 'nothing_to_do']).toContain(outcome);
      expect(paths).toEqual({
        'migration.$': '$.arguments.migration',
        'total.$': '$.work.total',
        'updated.$': '$.work.updated',
        'deleted.$': '$.work.deleted',
      });
    }
  });
});

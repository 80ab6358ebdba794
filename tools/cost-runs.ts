/** The runs that docs/cost.md counts, by what happens in them. Each finds the records as `npm run demo` makes them. */
export const costRuns = {
  countdown: { tool: 'countdown', arguments: { seconds: 0 } },
  'run_migration, nothing asked: 342 e-mail addresses': {
    tool: 'run_migration',
    arguments: { migration: 'lowercase_emails' },
  },
  'run_migration, nothing left to do': {
    tool: 'run_migration',
    arguments: { migration: 'lowercase_emails' },
  },
  'run_migration, declined': {
    tool: 'run_migration',
    arguments: { migration: 'retire_free_plan' },
    answers: [{ action: 'decline' }],
  },
  'run_migration, confirmed: 122 of 342 records': {
    tool: 'run_migration',
    arguments: { migration: 'retire_free_plan' },
    answers: [{ action: 'accept', content: { confirm: true } }],
  },
};

/** What every client sees in tools/list: the shipped tools, then those that clients without tasks go on with. */
export const LISTED_TOOLS = [
  'run_migration',
  'list_migrations',
  'countdown',
  'task_status',
  'task_answer',
  'task_cancel',
];

import type { WorkflowTable } from '../lib/workflow-kit/index.ts';
import { countdownWorkflow } from './countdown/workflow.ts';
import type { tools } from './index.ts';
import { runMigrationWorkflow } from './run_migration/workflow.ts';

/** The graph of every task tool. */
export const workflows: WorkflowTable<typeof tools> = {
  run_migration: runMigrationWorkflow,
  countdown: countdownWorkflow,
};

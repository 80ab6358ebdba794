import * as z from 'zod';
import { defineTaskTool } from '../../lambdas/protocol/define-tool.ts';

export const run_migration = defineTaskTool({
  title: 'Run a migration',
  description:
    'Migrates the customer records. Counts first what would change, asks before anything is deleted, ' +
    'then applies the migration in batches. list_migrations names the migrations.',
  inputSchema: z.object({
    migration: z.string().min(1).describe('Name of the migration, as list_migrations gives it.'),
  }),
  outputSchema: z.object({
    migration: z.string(),
    outcome: z.enum(['applied', 'declined', 'nothing_to_do']),
    total: z.int().describe('Records looked at.'),
    updated: z.int(),
    deleted: z.int(),
  }),
  annotations: { destructiveHint: true, idempotentHint: true },
  ttlMs: 24 * 3_600_000,
  pollIntervalMs: 500,
  asks: ['elicitation.form'],
});

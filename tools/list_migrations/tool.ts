import * as z from 'zod';
import { defineSyncTool } from '../../lambdas/protocol/define-tool.ts';

export const list_migrations = defineSyncTool({
  title: 'List migrations',
  description: 'Names the migrations that run_migration knows, and what each does.',
  inputSchema: z.object({}),
  outputSchema: z.object({ migrations: z.array(z.object({ name: z.string(), description: z.string() })) }),
  annotations: { readOnlyHint: true },
});

import type { ToolTable } from '../lambdas/protocol/define-tool.ts';
import { countdown } from './countdown/tool.ts';
import { list_migrations } from './list_migrations/tool.ts';
import { run_migration } from './run_migration/tool.ts';

/** Every tool of this server, in the order in which clients list them. */
export const tools = { run_migration, list_migrations, countdown } satisfies ToolTable;

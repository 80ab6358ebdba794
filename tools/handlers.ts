import type { ToolHandlers } from '../lambdas/protocol/define-tool.ts';
import type { tools } from './index.ts';
import { listMigrations } from './list_migrations/handler.ts';

/** The code of every tool that answers within the request, and of task tools what runs before their task exists. */
export const handlers: ToolHandlers<typeof tools> = {
  list_migrations: listMigrations,
};

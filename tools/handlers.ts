import type { SyncHandlers } from '../lambdas/protocol/define-tool.ts';
import type { tools } from './index.ts';
import { listMigrations } from './list_migrations/handler.ts';

/** The code of every tool that answers within the request. */
export const handlers: SyncHandlers<typeof tools> = {
  list_migrations: listMigrations,
};

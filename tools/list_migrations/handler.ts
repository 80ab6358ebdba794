import type { SyncHandler } from '../../lambdas/protocol/define-tool.ts';
import { migrations } from '../run_migration/migrations.ts';

export const listMigrations: SyncHandler = () => {
  const listed = Object.entries(migrations).map(([name, { description }]) => ({ name, description }));
  return {
    content: [
      { type: 'text', text: listed.map(({ name, description }) => `${name}: ${description}`).join('\n') },
    ],
    structuredContent: { migrations: listed },
  };
};

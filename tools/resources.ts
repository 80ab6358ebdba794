import type { Register } from '../lambdas/protocol/features.ts';
import { migrations } from './run_migration/migrations.ts';

/** Every resource of this server: data that a client may put into a model's context (server/resources). */
export const resources: Register = (mcp) => {
  mcp.registerResource(
    'migrations',
    'migrations://all',
    {
      title: 'Migrations',
      description: 'The migrations that run_migration knows, and what each does.',
      mimeType: 'application/json',
    },
    ({ href: uri }) => {
      const known = Object.entries(migrations).map(([name, { description }]) => ({ name, description }));
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(known) }] };
    },
  );
};

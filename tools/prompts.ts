import { completable } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Register } from '../lambdas/protocol/features.ts';
import { migrations } from './run_migration/migrations.ts';

/** Every prompt of this server: texts that a person picks in their client (server/prompts). */
export const prompts: Register = (mcp) => {
  mcp.registerPrompt(
    'migrate_carefully',
    {
      title: 'Migrate carefully',
      description: 'Has the model explain a migration and wait for a yes before it runs it.',
      argsSchema: z.object({
        migration: completable(z.string().describe('Name of the migration.'), (typed) =>
          Object.keys(migrations).filter((name) => name.startsWith(typed)),
        ),
      }),
    },
    ({ migration }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'text',
            text:
              `Look up with list_migrations what ${migration} does and explain it in two sentences. ` +
              'Call run_migration only after I have agreed, and report what it changed.',
          },
        },
      ],
    }),
  );
};

import { step, ToolError } from '../../../lambdas/step/index.ts';
import { migrations } from '../migrations.ts';
import type { Work } from '../work.ts';
import { readPage } from './record-table.ts';

/** Counts what the migration would do, and changes nothing. */
export const handler = step(async ({ migration: name }: { migration: string }): Promise<Work> => {
  const migration = Object.hasOwn(migrations, name) ? migrations[name] : undefined;
  if (migration === undefined) {
    throw new ToolError(
      `Unknown migration "${name}". Known migrations: ${Object.keys(migrations).join(', ')}.`,
    );
  }

  const count = { total: 0, update: 0, delete: 0, keep: 0 };
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(cursor);
    for (const record of page.records) {
      count.total += 1;
      count[migration.decide(record).action] += 1;
    }
    cursor = page.next;
  } while (cursor !== null);

  return {
    total: count.total,
    toUpdate: count.update,
    toDelete: count.delete,
    toChange: count.update + count.delete,
    seen: 0,
    updated: 0,
    deleted: 0,
    cursor: null,
    finished: false,
  };
});

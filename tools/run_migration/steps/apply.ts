import { step } from '../../../lambdas/step/index.ts';
import { migrations } from '../migrations.ts';
import type { Work } from '../work.ts';
import { readPage, writeChange } from './record-table.ts';

const BATCH = 64;

/** Applies the migration to one batch. Repeating a batch is harmless: what was migrated is kept as it is. */
export const handler = step(
  async ({ migration: name, work }: { migration: string; work: Work }): Promise<Work> => {
    const migration = migrations[name];
    if (migration === undefined) throw new Error(`The plan let an unknown migration through: ${name}`);

    const { records, next } = await readPage(work.cursor, BATCH);
    const written = await Promise.all(
      records.map(async (record) => {
        const change = migration.decide(record);
        return (await writeChange(record, change)) ? change.action : 'keep';
      }),
    );

    return {
      ...work,
      seen: work.seen + records.length,
      updated: work.updated + written.filter((action) => action === 'update').length,
      deleted: work.deleted + written.filter((action) => action === 'delete').length,
      cursor: next,
      finished: next === null,
    };
  },
);

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ToolError, type step } from '../../lambdas/step/index.ts';

type Handler = ReturnType<typeof step<{ migration: string }, unknown>>;
const task = {
  id: 'tsk_1',
  key: 'alice#tsk_1',
  tool: 'run_migration',
  tenant: 'alice',
  createdAt: '',
  expiresAt: null,
};

// Nothing listens at the table: what these tests ask has to be answered before it is read.
const before = { ...process.env };
let plan: Handler;
beforeAll(async () => {
  Object.assign(process.env, { RECORDS_TABLE: 'Records', AWS_ENDPOINT_URL: 'http://127.0.0.1:9' });
  ({ handler: plan } = await import('../../tools/run_migration/steps/plan.ts'));
});
afterAll(() => {
  process.env = before;
});

test.each(['nope', '', 'toString', '__proto__', 'LOWERCASE_EMAILS'])(
  'a migration that does not exist (%j) is told to the caller, with the ones there are',
  async (migration) => {
    const failed = plan({ input: { migration }, task });

    await expect(failed).rejects.toBeInstanceOf(ToolError);
    await expect(failed).rejects.toThrow(
      `Unknown migration "${migration}". Known migrations: lowercase_emails, retire_free_plan.`,
    );
  },
);

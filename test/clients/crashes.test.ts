import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { useEngine } from '../support/engine.ts';

const engine = useEngine();
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'journals-'));
  // A bundle starts in a fraction of the time, and this suite starts it some thirty times.
  await build({
    entryPoints: ['test/clients/crashing-client.ts'],
    outfile: join(directory, 'client.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const record = (id: string, status: string) => ({
  id,
  version: 1,
  email: `${id}@example.com`,
  plan: 'pro',
  status,
});

/** One record to delete, which the migration asks about, and one to keep. */
beforeEach(async () => {
  for (const item of [record('a', 'closed'), record('b', 'active')]) {
    await engine.documents.send(new PutCommand({ TableName: engine.table('Records'), Item: item }));
  }
  engine.resetCalls();
});

const client = (
  journal: string,
  crashAt = '',
): Promise<{ steps: string[]; outcome?: unknown; killed: boolean }> =>
  new Promise((done, fail) => {
    const args = [join(directory, 'client.mjs'), engine.mcpUrl, join(directory, journal.replace(/\W/g, '-'))];
    execFile(
      process.execPath,
      args,
      { env: { ...process.env, CRASH_AT: crashAt } },
      (error, stdout, stderr) => {
        const lines = stdout.split('\n');
        const steps = lines.flatMap((line) => (line.startsWith('step ') ? [line.slice(5)] : []));
        const outcome = lines.find((line) => line.startsWith('outcome '))?.slice(8);
        if (error && error.signal !== 'SIGKILL') return fail(new Error(stderr));
        done({ steps, outcome: outcome && JSON.parse(outcome), killed: error?.signal === 'SIGKILL' });
      },
    );
  });

const calls = (action: string): number => engine.calls.filter((call) => call.operation === action).length;
const left = async (): Promise<string[]> => {
  const { Items = [] } = await engine.documents.send(new ScanCommand({ TableName: engine.table('Records') }));
  return Items.map(({ id }) => String(id));
};

const APPLIED = {
  status: 'completed',
  result: { structuredContent: { outcome: 'applied', total: 2, deleted: 1, updated: 0 } },
};

/** In the order in which they first come. */
const STEPS = [
  'before tools/call',
  'after tools/call',
  'journal task',
  'before tasks/get',
  'after tasks/get',
  'before subscriptions/listen',
  'after subscriptions/listen',
  'asked',
  'journal answer',
  'before tasks/update',
  'after tasks/update',
  'journal sent',
  'journal outcome',
];

test('undisturbed, the client goes through every step', async () => {
  const { steps, outcome } = await client('undisturbed');
  expect(new Set(steps)).toEqual(new Set([...STEPS, ...steps]));
  expect(STEPS.filter((step) => !steps.includes(step))).toEqual([]);
  expect(outcome).toMatchObject(APPLIED);
  expect(await left()).toEqual(['b']);
});

jest.setTimeout(120_000);

test.each(STEPS)('killed at “%s” and started again, it comes to the same end', async (step) => {
  const first = await client(step, step);
  expect(first.killed).toBe(true);
  const second = await client(step);

  expect(second.outcome).toMatchObject(APPLIED);
  expect(await left()).toEqual(['b']);
  // Only the answer that named the task was lost: the client cannot know that there is one.
  expect(calls('StartExecution')).toBe(step === 'after tools/call' ? 2 : 1);
  expect(calls('SendTaskSuccess')).toBe(1);
  const asked = [...first.steps, ...second.steps].filter((name) => name === 'asked');
  // Killed between the question and the journal, it must ask again.
  expect(asked).toHaveLength(step === 'asked' ? 2 : 1);
});

test('started again after the end, it tells the outcome without a request', async () => {
  await client('ended');
  const { steps, outcome } = await client('ended');
  expect(outcome).toMatchObject(APPLIED);
  expect(steps.filter((step) => step.includes('tasks/') || step.includes('tools/call'))).toEqual([]);
});

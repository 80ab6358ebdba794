import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { abreast } from '../support/abreast.ts';
import { useEngine, type TestEngine } from '../support/engine.ts';
import { useProgram } from '../support/program.ts';

/** Several: a life mostly waits, for a workflow or for the next look at it. */
const engines = [useEngine(), useEngine(), useEngine()] as const;
const [engine] = engines;
const program = useProgram('test/clients/crashing-client.ts');

const record = (id: string, status: string) => ({
  id,
  version: 1,
  email: `${id}@example.com`,
  plan: 'pro',
  status,
});

/** One record to delete, which the migration asks about, and one to keep. */
const seed = async (engine: TestEngine): Promise<void> => {
  for (const item of [record('a', 'closed'), record('b', 'active')]) {
    await engine.documents.send(new PutCommand({ TableName: engine.table('Records'), Item: item }));
  }
  engine.resetCalls();
};

const client = (
  engine: TestEngine,
  journal: string,
  crashAt = '',
): Promise<{ steps: string[]; outcome?: unknown; killed: boolean }> =>
  new Promise((done, fail) => {
    const args = [program.file, engine.mcpUrl, join(program.directory, journal.replace(/\W/g, '-'))];
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

const calls = (engine: TestEngine, action: string): number =>
  engine.calls.filter((call) => call.operation === action).length;
const left = async (engine: TestEngine): Promise<string[]> => {
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
  await seed(engine);
  const { steps, outcome } = await client(engine, 'undisturbed');
  expect(STEPS.filter((step) => !steps.includes(step))).toEqual([]);
  expect(outcome).toMatchObject(APPLIED);
  expect(await left(engine)).toEqual(['b']);
});

const crashAndGoOn = async (engine: TestEngine, step: string): Promise<void> => {
  await seed(engine);
  const first = await client(engine, step, step);
  expect(first.killed).toBe(true);
  const second = await client(engine, step);

  expect(second.outcome).toMatchObject(APPLIED);
  expect(await left(engine)).toEqual(['b']);
  // Only the answer that named the task was lost: the client cannot know that there is one.
  expect(calls(engine, 'StartExecution')).toBe(step === 'after tools/call' ? 2 : 1);
  expect(calls(engine, 'SendTaskSuccess')).toBe(1);
  const asked = [...first.steps, ...second.steps].filter((name) => name === 'asked');
  // Killed between the question and the journal, it must ask again.
  expect(asked).toHaveLength(step === 'asked' ? 2 : 1);
};

test('killed at any step and started again, it comes to the same end', async () => {
  await abreast(engines, STEPS, async (engine, step) => {
    await crashAndGoOn(engine, step).catch((cause: unknown) => {
      throw new Error(`killed at “${step}”`, { cause });
    });
  });
}, 120_000);

test('started again after the end, it tells the outcome without a request', async () => {
  await seed(engine);
  await client(engine, 'ended');
  const { steps, outcome } = await client(engine, 'ended');
  expect(outcome).toMatchObject(APPLIED);
  expect(steps.filter((step) => step.includes('tasks/') || step.includes('tools/call'))).toEqual([]);
});

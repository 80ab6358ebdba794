import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { taskClient, until, type TaskClient } from './client.ts';
import { useFaultsEngine } from './engine.ts';
import { strays } from './invariants.ts';
import { commands, type Model, type Real } from './model.ts';

const engine = useFaultsEngine();
let client: TaskClient;
beforeAll(() => {
  client = taskClient(engine.mcpUrl);
});

/** How long to go on, in milliseconds; `MODEL_SECONDS=600 npx jest test/faults/model` for a long run. */
const TIME_MS = Number(process.env['MODEL_SECONDS'] ?? 40) * 1_000;
/** `MODEL_SEED=…` repeats a run that failed. */
const SEED = Number(process.env['MODEL_SEED'] ?? Date.now() % 2 ** 31);

test(
  'whatever happens in whatever order, each task has one right end and everybody learns it',
  async () => {
    const real: Real = { engine, client, held: [], holding: false, run: 0, steps: 0 };
    const release = engine.interceptEvents(async (_, deliver) => {
      if (real.holding) real.held.push(deliver);
      else await deliver();
    });
    const started = Date.now();
    try {
      await fc.assert(
        fc.asyncProperty(fc.commands(commands(), { maxCommands: 80, size: 'max' }), async (list) => {
          const model: Model = { tasks: [] };
          real.run++;
          real.holding = false;
          await fc.asyncModelRun(() => ({ model, real }), list);
          for (const deliver of real.held.splice(0)) await deliver();
          await until(async () => (await strays(engine)).length === 0);
        }),
        {
          seed: SEED,
          numRuns: 1_000_000,
          interruptAfterTimeLimit: TIME_MS,
          // The list of commands says enough, and every try to shorten it costs seconds.
          endOnFailure: true,
        },
      );
    } finally {
      release();
      console.log(
        `seed ${SEED}: ${real.steps} steps in ${real.run} runs, ${Math.round((Date.now() - started) / 1_000)} s`,
      );
    }
    expect(real.steps).toBeGreaterThan(100);
  },
  TIME_MS + 60_000,
);

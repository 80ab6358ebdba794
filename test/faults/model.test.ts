import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TestEngine } from '../support/engine.ts';
import { taskClient, until } from './client.ts';
import { useFaultsEngine } from './engine.ts';
import { deliveredTo, strays } from './invariants.ts';
import { commands, noteAnswers, type Model, type Real } from './model.ts';

/** How long to go on, in seconds; .ci/run goes on for longer: `MODEL_SECONDS=120 npx jest test/faults/model`. */
const SECONDS = Number(process.env['MODEL_SECONDS'] ?? 5);
/** `MODEL_SEED=…` with the seed that fast-check reports begins with the run that failed. */
const SEED = Number(process.env['MODEL_SEED'] ?? Date.now() % 2 ** 31);

/** Runs with seeds from SEED on, dealt out to engines: one alone mostly waits for its workflows. */
const engines = [useFaultsEngine(), useFaultsEngine(), useFaultsEngine()];

/** @returns how many steps were taken */
const follow = async (engine: TestEngine, seed: number): Promise<number> => {
  const deadline = Date.now() + SECONDS * 1_000;
  const client = taskClient(engine.mcpUrl);
  const real: Real = { engine, client, accepted: new Map(), held: [], holding: false, run: 0, steps: 0 };
  const release = engine.interceptEvents(async (_, deliver) => {
    if (real.holding) real.held.push(deliver);
    else await deliver();
  });
  const forget = engine.interceptAwsCalls(noteAnswers(real.accepted));
  const live = async (list: Iterable<fc.AsyncCommand<Model, Real>>): Promise<void> => {
    const model: Model = { tasks: [] };
    real.run++;
    real.holding = false;
    await fc.asyncModelRun(() => ({ model, real }), list);
    for (const deliver of real.held.splice(0)) await deliver();
    await until(async () => (await strays(engine)).length === 0);
    // By the workflows' own account, in the end: each answer that won reached its workflow, once, and in this order.
    for (const { taskId, answers } of model.tasks) {
      expect(await deliveredTo(engine, taskId)).toEqual(answers);
    }
  };

  // After the deadline a run takes no further step, and counts as well.
  const property = fc.asyncProperty(fc.commands(commands(deadline), { maxCommands: 200, size: 'max' }), live);
  for (let run = seed; Date.now() < deadline; run += engines.length) {
    // The list of commands says enough, and every try to shorten it costs seconds.
    await fc.assert(property, { seed: run, numRuns: 1, endOnFailure: true });
  }
  release();
  forget();
  return real.steps;
};

test(
  'whatever happens in whatever order, each task has one right end and everybody learns it',
  async () => {
    const steps = await Promise.all(engines.map((engine, nth) => follow(engine, SEED + nth)));
    const all = steps.reduce((sum, some) => sum + some, 0);
    console.log(`${all} steps in ${SECONDS} s, from seed ${SEED}`);
    expect(all).toBeGreaterThan(SECONDS);
  },
  (SECONDS + 60) * 1_000,
);

import { scenarios } from './scenarios.ts';
import type { Scenario, Target } from './target.ts';

const LONGEST_MS = 120_000;

/** Runs one thing after the other, with a line each. @returns how many failed */
export const runAll = async (list: Record<string, () => Promise<void>>): Promise<number> => {
  let failed = 0;
  for (const [name, run] of Object.entries(list)) {
    const start = Date.now();
    try {
      await withinTime(run());
      console.log(`  ok    ${name} (${Date.now() - start} ms)`);
    } catch (error) {
      failed += 1;
      console.log(`  FAIL  ${name}\n${String((error as Error).stack).replace(/^/gm, '        ')}`);
    }
  }
  console.log(`${Object.keys(list).length - failed} passed, ${failed} failed`);
  return failed;
};

/** All scenarios against one target. */
export const scenariosFor = (target: Target): Record<string, () => Promise<void>> =>
  Object.fromEntries(
    Object.entries<Scenario>(scenarios).map(([name, scenario]) => [name, () => scenario(target)]),
  );

const withinTime = async (work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`Not done within ${LONGEST_MS / 1000} seconds`)), LONGEST_MS);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

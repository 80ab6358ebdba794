import { scenarios } from './scenarios.ts';
import type { Scenario, Target } from './target.ts';

/** Runs one thing after the other, with a line each. @returns how many failed */
export const runAll = async (
  list: Record<string, () => Promise<void>>,
  longestMs = 120_000,
): Promise<number> => {
  let failed = 0;
  for (const [name, run] of Object.entries(list)) {
    const start = Date.now();
    try {
      await withinTime(run(), longestMs);
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

const withinTime = async (work: Promise<void>, longestMs: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`Not done within ${longestMs / 1000} seconds`)), longestMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

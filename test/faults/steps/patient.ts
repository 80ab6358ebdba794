import { setTimeout as sleep } from 'node:timers/promises';
import { cancelRequested, step } from '../../../lambdas/step/index.ts';

/** Works until it is told not to. */
export const handler = step(async (_: unknown, task) => {
  while (!(await cancelRequested(task))) await sleep(20);
  return 'halfway';
});

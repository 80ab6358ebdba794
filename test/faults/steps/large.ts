import { step, storeResult } from '../../../lambdas/step/index.ts';

export const handler = step(({ bytes }: { bytes: number }, task) =>
  storeResult(task, { content: [{ type: 'text', text: '"'.repeat(bytes) }] }),
);

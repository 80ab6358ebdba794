import { clone } from '../json.ts';
import { runNested } from './nested.ts';
import type { Work } from './run-state.ts';

export const runBranches: Work = (run, { data }) =>
  runNested(
    run,
    'Parallel',
    run.nested.map((plan) => () => ({ plan, input: clone(data), context: {} })),
    run.nested.length,
  );

import { setMaxListeners } from 'node:events';
import { failureDetails } from '../history.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Plan } from '../plan.ts';
import { runScope } from '../scope.ts';
import { untilEnded } from '../timers.ts';
import type { StateRun } from './run-state.ts';

export interface NestedRun {
  plan: Plan;
  input: Json;
  /** What the branch's context object has over its parent's. */
  context: JsonObject;
}

/**
 * Runs branches or iterations, some at a time, and gives their outputs in order. The first failure ends the others:
 * their waits, their tokens, and what they would have done next.
 */
export const runNested = async (
  { name, scope }: StateRun,
  kind: 'Parallel' | 'Map',
  runs: (() => NestedRun)[],
  concurrency: number,
): Promise<Json> => {
  const { history } = scope;
  const stop = new AbortController();
  const signal = AbortSignal.any([scope.signal, stop.signal]);
  // Every branch listens to it, and there may be more than the ten after which Node.js suspects a leak.
  setMaxListeners(0, signal);
  const length: JsonObject = kind === 'Map' ? { length: runs.length } : {};
  const started = history.add(`${kind}StateStarted`, length, scope.previousEventId);
  scope.previousEventId = started;

  const outputs: Json[] = [];
  let nextIndex = 0;
  const worker = async (): Promise<void> => {
    for (let index = nextIndex++; index < runs.length; index = nextIndex++) {
      const { plan, input, context } = (runs[index] as () => NestedRun)();
      const nested = {
        ...scope,
        context: { ...scope.context, ...context },
        signal,
        previousEventId: started,
      };
      const note = (change: string, details: JsonObject = {}): void => {
        if (kind !== 'Map' || signal.aborted) return;
        const type = `MapIteration${change}`;
        nested.previousEventId = history.add(type, { name, index, ...details }, nested.previousEventId);
      };
      note('Started');
      try {
        outputs[index] = await runScope(plan, input, nested);
      } catch (error) {
        note('Failed');
        throw error;
      }
      note('Succeeded');
      scope.previousEventId = nested.previousEventId;
    }
  };
  const workers = Array.from({ length: Math.min(concurrency, runs.length) }, worker);
  try {
    await untilEnded(Promise.all(workers), signal);
  } catch (error) {
    if (!scope.signal.aborted) {
      scope.previousEventId = history.add(`${kind}StateFailed`, failureDetails(error), scope.previousEventId);
    }
    throw error;
  } finally {
    stop.abort();
    await Promise.allSettled(workers);
  }
  scope.previousEventId = history.add(`${kind}StateSucceeded`, {}, scope.previousEventId);
  return outputs;
};

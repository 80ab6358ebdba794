import { readPath } from '../data/paths.ts';
import { evaluatePayload } from '../data/payload.ts';
import { runtimeError } from '../errors.ts';
import type { Json } from '../json.ts';
import { runNested } from './nested.ts';
import type { StateRun, Work } from './run-state.ts';

/** AWS runs at most so many iterations of an inline Map at a time. */
const MAX_CONCURRENCY = 40;

export const mapItems: Work = (run, source) => {
  const { name, state, nested } = run;
  const [plan] = nested;
  const items = state.ItemsPath === undefined ? source.data : readPath(state.ItemsPath, source);
  if (!plan || !Array.isArray(items)) {
    throw runtimeError(
      `The Map state '${name}' needs an array, and got ${JSON.stringify(items).slice(0, 200)}`,
    );
  }
  const selector = state.ItemSelector ?? state.Parameters;
  const iterations = items.map((item: Json, index) => () => {
    const Map = { Item: { Index: index, Value: item } };
    const itemSource = { data: source.data, context: { ...source.context, Map } };
    const input = selector === undefined ? item : evaluatePayload(selector, itemSource);
    return { plan, input, context: { Map } };
  });
  return runNested(run, 'Map', iterations, concurrency(run, source));
};

const concurrency = ({ state }: StateRun, source: Parameters<Work>[1]): number => {
  const { MaxConcurrency, MaxConcurrencyPath } = state;
  const wanted = MaxConcurrencyPath === undefined ? MaxConcurrency : readPath(MaxConcurrencyPath, source);
  return Math.min(Number(wanted) || MAX_CONCURRENCY, MAX_CONCURRENCY);
};

import type { Callback } from '../callbacks.ts';
import { placeResult, selectPath, type Source } from '../data/paths.ts';
import { evaluatePayload } from '../data/payload.ts';
import type { State } from '../definition.ts';
import { limitPayload, StateError } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Plan, Routing } from '../plan.ts';
import type { Entry, Scope } from '../scope.ts';
import { choose } from './choice.ts';
import { fail } from './fail.ts';
import { mapItems } from './map.ts';
import { runBranches } from './parallel.ts';
import { runTask } from './task.ts';
import { wait } from './wait.ts';

/** A state under way. */
export interface StateRun {
  name: string;
  state: State;
  entry: Entry;
  scope: Scope;
  routing: Routing;
  nested: Plan[];
  /** Before Parameters: what TimeoutSecondsPath and its like are looked up in. */
  input: Json;
  /** The open token of a `.waitForTaskToken` state. */
  callback?: Callback;
}

/** A state's work: from its effective input to its result. `source` has the context object for its paths. */
export type Work = (run: StateRun, source: Source) => Promise<Json> | Json;

const WORK: Record<State['Type'], Work> = {
  Task: runTask,
  Pass: ({ state }, { data }) => state.Result ?? data,
  Choice: choose,
  Wait: wait,
  Succeed: (_, { data }) => data,
  Fail: fail,
  Parallel: runBranches,
  Map: mapItems,
};

/**
 * Runs a state, once, with its whole data flow: InputPath, Parameters, the work, ResultSelector, ResultPath,
 * OutputPath. https://docs.aws.amazon.com/step-functions/latest/dg/concepts-input-output-filtering.html
 */
export const runState = async (run: Omit<StateRun, 'input'>, input: Json): Promise<Json> => {
  const { name, state, scope } = run;
  const callback = isCallback(state) ? scope.services.callbacks.open() : undefined;
  const context: JsonObject = {
    ...scope.context,
    State: { Name: name, EnteredTime: run.entry.enteredTime, RetryCount: run.entry.retryCount },
    ...(callback && { Task: { Token: callback.token } }),
  };
  try {
    const selected = selectPath(state.InputPath, { data: input, context });
    const data =
      state.Parameters === undefined || state.Type === 'Map' // a Map's Parameters are those of its items
        ? selected
        : evaluatePayload(state.Parameters, { data: selected, context });
    limitPayload(data, `The input of the state '${name}'`);
    const result = await WORK[state.Type]({ ...run, input: selected, callback }, { data, context });
    const chosen =
      state.ResultSelector === undefined
        ? result
        : evaluatePayload(state.ResultSelector, { data: result, context });
    const placed = placeResult(state.ResultPath, input, chosen);
    const output = selectPath(state.OutputPath, { data: placed, context });
    return limitPayload(output, `The output of the state '${name}'`);
  } catch (error) {
    if (error instanceof Error && 'isCatchable' in error) throw error;
    // A defect of the engine's must not look like something a workflow could handle.
    throw new StateError('Local.EngineError', String((error as Error)?.stack ?? error), { terminal: true });
  } finally {
    callback?.close();
  }
};

const isCallback = ({ Resource }: State): boolean => Resource?.endsWith('.waitForTaskToken') ?? false;

import { ruleApplies } from '../data/choice-rules.ts';
import { StateError } from '../errors.ts';
import type { Work } from './run-state.ts';

/** Leaves the name of the next state for the router that follows. */
export const choose: Work = ({ name, state, routing }, source) => {
  const rule = state.Choices?.find((one) => ruleApplies(one, source));
  const next = rule?.Next ?? state.Default;
  if (next === undefined) {
    throw new StateError(
      'States.NoChoiceMatched',
      `No rule of the state '${name}' applies, and it has no Default.`,
    );
  }
  routing.next = next;
  return source.data;
};

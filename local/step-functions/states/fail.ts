import { evaluateExpression } from '../data/payload.ts';
import { StateError } from '../errors.ts';
import type { Work } from './run-state.ts';

export const fail: Work = ({ state }, source) => {
  const { ErrorPath, CausePath } = state;
  const error = ErrorPath === undefined ? state.Error : evaluateExpression(ErrorPath, source);
  const cause = CausePath === undefined ? state.Cause : evaluateExpression(CausePath, source);
  throw new StateError(String(error ?? ''), String(cause ?? ''));
};

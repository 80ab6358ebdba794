import { JSONPath } from 'jsonpath-plus';
import { runtimeError, StateError } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';

/** What a path is looked up in: the state's data for `$`, the context object for `$$`. */
export interface Source {
  data: Json;
  context: JsonObject;
}

/** Wildcards, filters, slices and unions give a list, whatever they find; any other path gives one value or none. */
const INDEFINITE = /\.\.|\*|\?\(|\[[^\]'"]*[:,]/;

/** Undefined if the path leads nowhere. */
export const findPath = (path: string, { data, context }: Source): Json | undefined => {
  const inContext = path.startsWith('$$');
  const matches = JSONPath({
    path: inContext ? path.slice(1) : path,
    json: inContext ? context : data,
    wrap: true,
    eval: 'safe',
  }) as Json[];
  return INDEFINITE.test(path) ? matches : matches[0];
};

/** @throws States.Runtime if the path leads nowhere */
export const readPath = (path: string, source: Source): Json => {
  const found = findPath(path, source);
  if (found !== undefined) return found;
  const input = path.startsWith('$$') ? source.context : source.data;
  throw runtimeError(
    `The JSONPath '${path}' could not be found in the input '${JSON.stringify(input).slice(0, 1000)}'`,
  );
};

/** InputPath and OutputPath: absent takes everything, null takes nothing. */
export const selectPath = (path: string | null | undefined, source: Source): Json => {
  if (path === undefined) return source.data;
  return path === null ? {} : readPath(path, source);
};

/** ResultPath: where a result goes in the state's input. Absent or `$` replaces it, null throws the result away. */
export const placeResult = (path: string | null | undefined, input: Json, result: Json): Json => {
  if (path === undefined || path === '$') return result;
  if (path === null) return input;
  const steps = (JSONPath as unknown as { toPathArray(path: string): string[] }).toPathArray(path).slice(1);
  return placeAt(path, input, steps, result);
};

const placeAt = (path: string, target: Json, [step, ...rest]: string[], result: Json): Json => {
  if (step === undefined) return result;
  if (Array.isArray(target) && Number(step) < target.length) {
    return target.map((item, at) => (at === Number(step) ? placeAt(path, item, rest, result) : item));
  }
  if (!isObject(target)) {
    const cause = `Unable to apply the path '${path}' to the state's input: there is no object at '${step}'`;
    throw new StateError('States.ResultPathMatchFailure', cause);
  }
  return { ...target, [step]: placeAt(path, target[step] ?? {}, rest, result) };
};

import { isObject, type Json } from '../json.ts';
import { evaluateIntrinsic } from './intrinsics.ts';
import { readPath, type Source } from './paths.ts';

/** Parameters, ResultSelector, ItemSelector: a value with paths and intrinsics under the keys that end in `.$`. */
export const evaluatePayload = (template: Json, source: Source): Json => {
  if (Array.isArray(template)) return template.map((item) => evaluatePayload(item, source));
  if (!isObject(template)) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, value]) =>
      key.endsWith('.$') && typeof value === 'string'
        ? [key.slice(0, -2), evaluateExpression(value, source)]
        : [key, evaluatePayload(value, source)],
    ),
  );
};

export const evaluateExpression = (expression: string, source: Source): Json =>
  expression.startsWith('$') ? readPath(expression, source) : evaluateIntrinsic(expression, source);

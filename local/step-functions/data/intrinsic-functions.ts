import { createHash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../json.ts';

/* eslint-disable @typescript-eslint/no-explicit-any -- each function says in its parameters what it takes */

/**
 * The intrinsics of the JSONPath language. What they throw becomes States.IntrinsicFailure.
 * https://docs.aws.amazon.com/step-functions/latest/dg/intrinsic-functions.html
 */
export const functions: Record<string, (...args: any[]) => Json> = {
  'States.Format': (template: string, ...values: Json[]) => format(template, values),
  'States.StringToJson': (text: string) => JSON.parse(text) as Json,
  'States.JsonToString': (value: Json) => JSON.stringify(value),
  'States.JsonMerge': (one: JsonObject, other: JsonObject, deep: boolean) => {
    if (deep) throw new Error('deep merging is not supported, the third argument must be false');
    return { ...one, ...other };
  },
  'States.Array': (...items: Json[]) => items,
  'States.ArrayPartition': (list: Json[], size: number) => {
    if (!(size > 0)) throw new Error('the chunk size must be positive');
    const count = Math.ceil(list.length / Math.floor(size));
    return Array.from({ length: count }, (_, at) => list.slice(at * size, (at + 1) * size));
  },
  'States.ArrayContains': (list: Json[], value: Json) => list.some((item) => isDeepStrictEqual(item, value)),
  'States.ArrayRange': (first: number, last: number, step: number) => {
    const length = Math.floor((last - first) / step) + 1;
    if (!Number.isFinite(length) || length > 1000) throw new Error('a range has at most 1000 items');
    return Array.from({ length: Math.max(0, length) }, (_, at) => first + at * step);
  },
  'States.ArrayGetItem': (list: Json[], index: number) => {
    const item = list[index];
    if (item === undefined) throw new Error(`there is no item ${index}`);
    return item;
  },
  'States.ArrayLength': (list: Json[]) => {
    if (!Array.isArray(list)) throw new Error('the argument must be an array');
    return list.length;
  },
  'States.ArrayUnique': (list: Json[]) =>
    list.filter((item, at) => list.findIndex((other) => isDeepStrictEqual(other, item)) === at),
  'States.Base64Encode': (text: string) => Buffer.from(text).toString('base64'),
  'States.Base64Decode': (text: string) => Buffer.from(text, 'base64').toString(),
  'States.Hash': (value: Json, algorithm: string) =>
    createHash(algorithm.replace('-', ''))
      .update(typeof value === 'string' ? value : JSON.stringify(value))
      .digest('hex'),
  'States.MathAdd': (one: number, other: number) => one + other,
  // The end is exclusive. A seed is accepted and has no effect: AWS does not say what it computes from it.
  'States.MathRandom': (first: number, end: number) => first + Math.floor(Math.random() * (end - first)),
  // Every character of `separators` separates, and empty parts are dropped.
  'States.StringSplit': (text: string, separators: string) => {
    const parts = [''];
    for (const character of text) {
      if (separators.includes(character)) parts.push('');
      else parts[parts.length - 1] += character;
    }
    return parts.filter(Boolean);
  },
  'States.UUID': () => randomUUID(),
};

const format = (template: string, values: Json[]): string => {
  let used = 0;
  const text = template.replace(/\\(.)|\{\}/gs, (_, escaped?: string) => {
    if (escaped !== undefined) return escaped;
    const value = values[used++];
    if (value === undefined) throw new Error(`'${template}' has more places than there are values`);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
  if (used < values.length) throw new Error(`'${template}' has fewer places than there are values`);
  return text;
};

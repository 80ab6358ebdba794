import { readPath } from '../data/paths.ts';
import { runtimeError } from '../errors.ts';
import { sleep } from '../timers.ts';
import type { Work } from './run-state.ts';

export const wait: Work = async ({ state, scope }, source) => {
  const { Seconds, SecondsPath, Timestamp, TimestampPath } = state;
  const seconds = SecondsPath === undefined ? Seconds : readPath(SecondsPath, source);
  const timestamp = TimestampPath === undefined ? Timestamp : readPath(TimestampPath, source);
  const ms = timestamp === undefined ? Number(seconds) * 1000 : Date.parse(String(timestamp)) - Date.now();
  if (Number.isNaN(ms)) throw runtimeError(`'${timestamp ?? seconds}' is nothing a Wait state can wait for.`);
  await sleep(ms, scope.signal);
  return source.data;
};

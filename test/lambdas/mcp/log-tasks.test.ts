import { beforeEach, expect, test } from '@jest/globals';
import { logTasks } from '../../../lambdas/mcp/log-tasks.ts';
import type { Tasks } from '../../../lambdas/protocol/tasks.ts';

let lines: [string, Record<string, unknown>][];
const log = {
  info: (message: string, details: Record<string, unknown>) => void lines.push([message, details]),
};
beforeEach(() => {
  lines = [];
});

const ref = { tenant: 'user:alice', taskId: 'tsk_1' };
const tasks = {
  create: async () => ({ ...ref, tool: 'build', inputs: {}, result: 'secret' }),
  get: async () => ref,
  update: async () => undefined,
  cancel: async () => undefined,
} as unknown as Tasks;

test('what changes a task makes a line, with nothing in it of what was said', async () => {
  const logged = logTasks(tasks, log, 'plain');
  await logged.create('user:alice', 'build', {} as never, { what: 'secret' });
  await logged.get(ref);
  await logged.update(ref, { key: 'secret' });
  await logged.cancel(ref);

  expect(lines).toEqual([
    ['Task created', { ...ref, tool: 'build' }],
    ['Task answered', ref],
    ['Task cancelled', ref],
  ]);
});

test('a hashed tenant is the same in every line, and is not named', async () => {
  const logged = logTasks(tasks, log, 'hashed');
  await logged.create('user:alice', 'build', {} as never, {});
  await logged.cancel(ref);

  expect(lines[0]![1]['tenant']).toMatch(/^[0-9a-f]{16}$/);
  expect(lines[1]![1]['tenant']).toBe(lines[0]![1]['tenant']);
});

test('what did not happen makes no line', async () => {
  const failing = { ...tasks, cancel: () => Promise.reject(new Error('unknown')) } as Tasks;

  await expect(logTasks(failing, log, 'plain').cancel(ref)).rejects.toThrow('unknown');
  expect(lines).toEqual([]);
});

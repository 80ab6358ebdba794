import { expect, test } from '@jest/globals';
import { census } from '../../../lambdas/census/census.ts';
import type { TaskRecord } from '../../../lambdas/protocol/task.ts';

const at = (minute: number): string => new Date(minute * 60_000).toISOString();
const task = (taskId: string, tool: string, inputs: TaskRecord['inputs'], more: Partial<TaskRecord> = {}) =>
  ({ taskId, tool, inputs, lastUpdatedAt: at(9), ...more }) as TaskRecord;
const question = (minute?: number) => ({
  request: '{}',
  token: 'token',
  ...(minute === undefined ? {} : { askedAt: at(minute) }),
});

test('open questions are counted by tool, with the oldest and whose it is', () => {
  const counted = census([
    task('one', 'build', { a: question(5), b: question(3) }),
    task('two', 'build', { c: question(4) }),
    task('three', 'deploy', {}),
    task('older than this version', 'pay', { d: question() }),
    task('being cancelled', 'build', { e: question(1) }, { cancelRequestedAt: at(2) }),
  ]);

  expect(Object.fromEntries(counted)).toEqual({
    build: { count: 3, oldestAt: Date.parse(at(3)), taskId: 'one' },
    pay: { count: 1, oldestAt: Date.parse(at(9)), taskId: 'older than this version' },
  });
});

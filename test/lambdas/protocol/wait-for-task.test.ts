import { describe, expect, test } from '@jest/globals';
import type { TaskRecord } from '../../../lambdas/protocol/task.ts';
import type { Tasks } from '../../../lambdas/protocol/tasks.ts';
import { waitForTask } from '../../../lambdas/protocol/wait-for-task.ts';

const WORKING = { taskId: 'tsk_1', tenant: 'tenant', tool: 'report', status: 'working' } as TaskRecord;
const DONE = { content: [{ type: 'text', text: 'Done.' }], resultType: 'complete' };

/** A task that reads as each of these in turn, and as the last one from then on. */
const tasksReading = (...looks: Partial<TaskRecord>[]) => {
  const cancelled: string[] = [];
  const tasks = {
    get: async () => ({ ...WORKING, ...(looks.length > 1 ? looks.shift() : looks[0]) }),
    cancel: async ({ taskId }) => void cancelled.push(taskId),
  } as Partial<Tasks> as Tasks;
  return { tasks, cancelled };
};

const { signal } = new AbortController();

describe('waiting for a task on behalf of a client without tasks', () => {
  test('gives the result as the task holds it', async () => {
    const { tasks, cancelled } = tasksReading({}, { status: 'completed', result: JSON.stringify(DONE) });
    expect(await waitForTask(tasks, WORKING, { signal })).toEqual(DONE);
    expect(cancelled).toEqual([]);
  });

  test('answers with the error of a task that failed', async () => {
    const error = JSON.stringify({ code: -32000, message: 'The backend is down.' });
    const { tasks } = tasksReading({ status: 'failed', error });
    await expect(waitForTask(tasks, WORKING, { signal })).rejects.toMatchObject({
      code: -32000,
      message: 'The backend is down.',
    });
  });

  test('stops what is not done in time, and says so', async () => {
    const { tasks, cancelled } = tasksReading({});
    const result = await waitForTask(tasks, WORKING, { signal, waitMs: 150 });
    expect(cancelled).toEqual(['tsk_1']);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('report was not done within 0.15 seconds') }],
    });
  });

  test('a result that comes while the work is being stopped counts', async () => {
    const { tasks, cancelled } = tasksReading({ status: 'completed', result: JSON.stringify(DONE) });
    expect(await waitForTask(tasks, WORKING, { signal, waitMs: 0 })).toEqual(DONE);
    expect(cancelled).toEqual(['tsk_1']);
  });

  test('stops when the client has gone', async () => {
    const { tasks, cancelled } = tasksReading({});
    await waitForTask(tasks, WORKING, { signal: AbortSignal.abort() });
    expect(cancelled).toEqual(['tsk_1']);
  });
});

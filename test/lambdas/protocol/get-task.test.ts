import { describe, expect, test } from '@jest/globals';
import { CallToolResultV2Schema, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { newTaskId } from '../../../lambdas/protocol/task.ts';
import { serve } from '../../support/mcp.ts';
import { QUESTION } from '../../support/tools.ts';

const RESULT = { resultType: 'complete', content: [{ type: 'text', text: 'Done.' }] };

test('costs one read', async () => {
  const { ports, tasks, startTask } = serve();
  const { taskId } = await startTask();
  await tasks.get(taskId);

  expect(ports.calls).toEqual(['store.get']);
});

describe('each state carries what belongs to it', () => {
  test('working', async () => {
    const { tasks, startTask } = serve();
    const { taskId, workflow } = await startTask();
    workflow.report('Applying (128/342)');
    const { body } = await tasks.get(taskId);

    expect(isDetailedTaskV2(body.result)).toBe(true);
    expect(body.result).toMatchObject({
      resultType: 'complete',
      taskId,
      status: 'working',
      statusMessage: 'Applying (128/342)',
      ttlMs: 3_600_000,
    });
    for (const absent of ['inputRequests', 'result', 'error']) expect(body.result).not.toHaveProperty(absent);
  });

  test('input_required: a working task with an open question', async () => {
    const { ports, tasks, startTask } = serve();
    const { taskId, ref, workflow } = await startTask('deploy', {});
    workflow.ask('confirm-1', QUESTION);
    const { body } = await tasks.get(taskId);

    expect(isDetailedTaskV2(body.result)).toBe(true);
    expect(body.result).toMatchObject({ resultType: 'complete', status: 'input_required' });
    expect(body.result.inputRequests).toEqual({ 'confirm-1': QUESTION });
    expect(ports.record(ref)?.status).toBe('working');
  });

  test('completed: the result as the original request would have been answered, resultType included', async () => {
    const { tasks, startTask } = serve();
    const { taskId, workflow } = await startTask();
    workflow.complete(RESULT);
    const { body } = await tasks.get(taskId);

    expect(isDetailedTaskV2(body.result)).toBe(true);
    expect(body.result).toMatchObject({ resultType: 'complete', status: 'completed', result: RESULT });
    expect(CallToolResultV2Schema.safeParse(body.result.result).success).toBe(true);
    expect(body.result).not.toHaveProperty('error');
  });

  test('a tool that reports an error has completed', async () => {
    const { tasks, startTask } = serve();
    const { taskId, workflow } = await startTask();
    workflow.complete({ ...RESULT, isError: true });
    const { body } = await tasks.get(taskId);

    expect(body.result).toMatchObject({ status: 'completed', result: { isError: true } });
  });

  test('failed: the JSON-RPC error and a message, and no result', async () => {
    const { tasks, startTask } = serve();
    const { taskId, workflow } = await startTask();
    workflow.fail({ code: -32603, message: 'API rate limit exceeded' });
    const { body } = await tasks.get(taskId);

    expect(isDetailedTaskV2(body.result)).toBe(true);
    expect(body.result).toMatchObject({
      resultType: 'complete',
      status: 'failed',
      statusMessage: 'API rate limit exceeded',
      error: { code: -32603, message: 'API rate limit exceeded' },
    });
    expect(body.result).not.toHaveProperty('result');
  });

  test('cancelled', async () => {
    const { tasks, startTask } = serve();
    const { taskId } = await startTask();
    await tasks.cancel(taskId);
    const { body } = await tasks.get(taskId);

    expect(isDetailedTaskV2(body.result)).toBe(true);
    expect(body.result).toMatchObject({ resultType: 'complete', status: 'cancelled' });
    for (const absent of ['inputRequests', 'result', 'error']) expect(body.result).not.toHaveProperty(absent);
  });
});

test('an open question reads the same, word for word, on every poll', async () => {
  const { tasks, startTask } = serve();
  const { taskId, workflow } = await startTask('deploy', {});
  workflow.ask('confirm-1', QUESTION);
  const polls = [await tasks.get(taskId), await tasks.get(taskId), await tasks.get(taskId)];

  const words = polls.map(({ body }) => JSON.stringify(body.result.inputRequests));
  expect(new Set(words).size).toBe(1);
});

test('what only the server needs stays there: token, tenant, execution', async () => {
  const { tasks, startTask } = serve();
  const { taskId, workflow } = await startTask('deploy', {});
  workflow.ask('confirm-1', QUESTION, 'secret-callback-token');
  const { body } = await tasks.get(taskId);

  expect(JSON.stringify(body)).not.toMatch(/secret-callback-token|alice|arn:/);
});

describe('a task that cannot be found', () => {
  const methods = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const;
  const ask = (server: ReturnType<typeof serve>, method: string, taskId: string) =>
    server.request(method, { taskId, inputResponses: { 'confirm-1': { action: 'accept' } } });

  test.each(methods)('%s: unknown, ill-formed, expired and somebody else’s read the same', async (method) => {
    const server = serve();
    const { taskId: hers, ref } = await server.startTask();
    server.caller.tenant = 'bob';
    const { taskId: expired, ref: gone } = await server.startTask();
    const longAgo = new Date(Date.now() - 3_601_000).toISOString();
    for (const [key, task] of server.ports.records) {
      if (task.taskId === gone.taskId)
        server.ports.records.set(key, {
          ...task,
          createdAt: longAgo,
          expiresAt: Date.parse(longAgo) / 1000 + 3_600,
        });
    }
    const before = server.ports.record(ref);

    const answers = [];
    for (const taskId of [
      newTaskId(),
      'tsk_short',
      'no id at all',
      '🦆',
      'tsk_'.padEnd(81, 'x'),
      hers,
      expired,
    ]) {
      const { status, body } = await ask(server, method, taskId);
      answers.push(JSON.stringify({ status, error: body.error }));
    }

    expect([...new Set(answers)].map((answer) => JSON.parse(answer))).toEqual([
      {
        status: 200,
        error: { code: -32602, message: 'Unknown task: no such task id, or the task has expired.' },
      },
    ]);
    expect(server.ports.record(ref)).toEqual(before);
  });

  test('Alice comes back on a new connection and finds hers', async () => {
    const { ports, startTask } = serve();
    const { taskId } = await startTask();
    const { body } = await serve({}, ports).tasks.get(taskId);

    expect(body.result).toMatchObject({ taskId, status: 'working' });
  });

  test('an id with a # in it cannot reach another tenant’s key, nor the store', async () => {
    const server = serve();
    server.caller.tenant = 'alice#team';
    const { taskId } = await server.startTask();
    server.caller.tenant = 'alice';

    for (const method of methods) {
      const { body } = await ask(server, method, `team#${taskId}`);
      expect(body.error?.code).toBe(-32602);
    }
    expect(server.ports.calls).toEqual([]);
  });

  test.each([undefined, 5, null, {}, ['tsk_x']])('a taskId of %j is an invalid parameter', async (taskId) => {
    const { ports, tasks } = serve();
    const { body } = await tasks.get(taskId);

    expect(body.error?.code).toBe(-32602);
    expect(body.error?.message).toBe('tasks/get needs params.taskId, a string.');
    expect(ports.calls).toEqual([]);
  });
});

test('an outage of the store is told in neutral words, and logged', async () => {
  const { ports, tasks, startTask, logged } = serve();
  const { taskId } = await startTask();
  ports.crashAt('store.get', 'arn:aws:dynamodb:eu-central-1:123456789012:table/Tasks is gone');
  const { body } = await tasks.get(taskId);

  expect(body.error?.code).toBe(-32603);
  expect(JSON.stringify(body)).not.toMatch(/arn:|\.ts:/);
  expect(logged).toHaveLength(1);
});

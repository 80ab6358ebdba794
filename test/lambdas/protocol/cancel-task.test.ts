import { describe, expect, test } from '@jest/globals';
import { payloadOf, serve } from '../../support/mcp.ts';
import { QUESTION } from '../../support/tools.ts';

const RESULT = { resultType: 'complete', content: [{ type: 'text', text: 'Done.' }] };

test('stops the execution, then closes the record, and acknowledges with an empty result', async () => {
  const { ports, tasks, startTask } = serve();
  const { taskId, ref } = await startTask();
  const { status, body } = await tasks.cancel(taskId);

  expect(status).toBe(200);
  expect(payloadOf(body.result)).toEqual({ resultType: 'complete' });
  expect(ports.calls).toEqual(['store.get', 'workflows.stop', 'store.close']);
  expect(ports.stopped).toEqual([
    { executionArn: ports.workflows.executionArn('build', taskId), reason: 'Cancelled' },
  ]);
  expect(ports.record(ref)).toMatchObject({ status: 'cancelled', inputs: {} });
});

test('a question that was open is gone', async () => {
  const { tasks, startTask } = serve();
  const { taskId, workflow } = await startTask('deploy', {});
  workflow.ask('confirm-1', QUESTION);
  await tasks.cancel(taskId);
  const { body } = await tasks.get(taskId);

  expect(body.result.status).toBe('cancelled');
  expect(body.result).not.toHaveProperty('inputRequests');
});

describe('a task that has ended is acknowledged, and stays as it is', () => {
  test.each(['completed', 'failed', 'cancelled'])('%s', async (end) => {
    const { ports, tasks, startTask } = serve();
    const { taskId, ref, workflow } = await startTask();
    if (end === 'completed') workflow.complete(RESULT);
    if (end === 'failed') workflow.fail({ code: -32603, message: 'It broke.' });
    if (end === 'cancelled') await tasks.cancel(taskId);
    ports.calls.length = 0;
    const before = ports.record(ref);
    const { status, body } = await tasks.cancel(taskId);

    expect(status).toBe(200);
    expect(payloadOf(body.result)).toEqual({ resultType: 'complete' });
    expect(ports.calls).toEqual(['store.get']);
    expect(ports.record(ref)).toEqual(before);
  });

  test('complete, cancel, get: completed, with the result intact', async () => {
    const { tasks, startTask } = serve();
    const { taskId, workflow } = await startTask();
    workflow.complete(RESULT);
    await tasks.cancel(taskId);
    const { body } = await tasks.get(taskId);

    expect(body.result).toMatchObject({ status: 'completed', result: RESULT });
  });
});

test('the workflow ends while it is being stopped: its end stays, and the cancel is acknowledged', async () => {
  const { ports, tasks, startTask } = serve();
  const { taskId, workflow } = await startTask();
  ports.during('workflows.stop', () => workflow.complete(RESULT));
  const { body } = await tasks.cancel(taskId);

  expect(body.result.resultType).toBe('complete');
  expect((await tasks.get(taskId)).body.result).toMatchObject({ status: 'completed', result: RESULT });
});

test('an execution that cannot be stopped leaves the task working, and the caller may try again', async () => {
  const { ports, tasks, startTask } = serve();
  const { taskId, ref } = await startTask();
  ports.crashAt('workflows.stop');

  expect((await tasks.cancel(taskId)).body.error?.code).toBe(-32603);
  expect(ports.record(ref)?.status).toBe('working');
  expect((await tasks.cancel(taskId)).body.result.resultType).toBe('complete');
  expect(ports.record(ref)?.status).toBe('cancelled');
});

test('somebody else cannot cancel it', async () => {
  const { ports, tasks, startTask, caller } = serve();
  const { taskId, ref } = await startTask();
  caller.tenant = 'bob';
  const { body } = await tasks.cancel(taskId);

  expect(body.error?.code).toBe(-32602);
  expect(ports.stopped).toEqual([]);
  expect(ports.record(ref)?.status).toBe('working');
});

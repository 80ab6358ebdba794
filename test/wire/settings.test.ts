import { describe, expect, test } from '@jest/globals';
import { readAssembly, type Assembly } from '../../local/synth.ts';
import { useEngine } from '../support/engine.ts';
import { synthApp } from '../support/synth.ts';
import { pollUntil } from '../support/tasks-client.ts';
import { call, mcpRequest, send, startTask } from '../support/wire/request.ts';
import { listen } from '../support/wire/stream.ts';

/** The template as another context makes it, with the bundles that are there already: they do not depend on it. */
const withSettings = (settings: Record<string, unknown>) => async (): Promise<Assembly> => {
  const { directory, template: bundled } = readAssembly(process.env['TEST_ASSEMBLY']!);
  const Resources = Object.fromEntries(
    Object.entries(synthApp(settings).resources).map(([id, resource]) => [
      id,
      { ...resource, Metadata: bundled.Resources[id]?.Metadata },
    ]),
  );
  return { directory, template: { Resources } };
};

describe('-c streaming=false', () => {
  const engine = useEngine({}, withSettings({ streaming: false }));

  test('tasks are created, polled and cancelled as ever', async () => {
    const taskId = await startTask(engine.mcpUrl, 'countdown', { seconds: 0 });
    expect(await pollUntil(engine.mcpUrl, taskId, 'completed')).toMatchObject({
      result: { content: [{ type: 'text', text: 'Lift-off after 0 seconds.' }] },
    });
  });

  test('nobody can listen: none is acknowledged, and the answer is complete at once', async () => {
    const taskId = await startTask(engine.mcpUrl, 'countdown', { seconds: 60 });
    engine.resetCalls();
    const stream = await listen(engine.mcpUrl, [taskId]);
    expect(stream.response.headers.get('content-length')).not.toBeNull();
    const [ack, end, ...more] = await stream.rest();
    expect(ack!.params.notifications.taskIds).toEqual([]);
    expect(end!.result.resultType).toBe('complete');
    expect(more).toEqual([]);
    expect(engine.calls).toEqual([]);
  });

  test('statuses, notifications and refusals are the same', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const accepted = await send(engine.mcpUrl, {
      ...mcpRequest('notifications/cancelled'),
      body: JSON.stringify(notification),
    });
    expect([accepted.status, accepted.text]).toEqual([202, '']);
    expect((await call(engine.mcpUrl, 'tasks/list')).status).toBe(404);
    expect((await fetch(engine.mcpUrl)).status).toBe(405);
  });
});

describe('-c listenTasksPerStream=0', () => {
  const engine = useEngine({}, withSettings({ listenTasksPerStream: 0 }));

  test('listening is off, polling works', async () => {
    const taskId = await startTask(engine.mcpUrl, 'countdown', { seconds: 60 });
    const [ack, end] = await (await listen(engine.mcpUrl, [taskId])).rest();
    expect(ack!.params.notifications.taskIds).toEqual([]);
    expect(end!.result.resultType).toBe('complete');
    expect((await call(engine.mcpUrl, 'tasks/get', { taskId })).body.result.status).toBe('working');
  });
});

describe('-c listenSecondsPerStream=2 -c listenTasksPerStream=1', () => {
  const engine = useEngine({}, withSettings({ listenSecondsPerStream: 2, listenTasksPerStream: 1 }));

  test('a stream follows that many tasks for that long, and ends with the result; the task goes on', async () => {
    const tasks = [];
    for (const seconds of [600, 601]) tasks.push(await startTask(engine.mcpUrl, 'countdown', { seconds }));
    const started = Date.now();
    const messages = await (await listen(engine.mcpUrl, tasks)).rest();
    expect(Date.now() - started).toBeLessThan(5_000);
    expect(messages[0]!.params.notifications).toEqual({ taskIds: [tasks[0]] });
    expect(messages.at(-1)!.result.resultType).toBe('complete');
    expect(new Set(messages.slice(1, -1).map(({ params }) => params.status))).toEqual(new Set(['working']));
  });
});

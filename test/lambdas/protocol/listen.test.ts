import { describe, expect, test } from '@jest/globals';
import { isTaskStatusNotificationV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { newTaskId } from '../../../lambdas/protocol/task.ts';
import { payloadOf, serve, type RequestOptions } from '../../support/mcp.ts';
import { QUESTION } from '../../support/tools.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const RESULT = { resultType: 'complete', content: [{ type: 'text', text: 'Done.' }] };
const LIMITS = { tasksPerStream: 3, streamMs: 5_000, pollMs: 1, keepAliveMs: 5_000 };

type Served = ReturnType<typeof serve>;
const listen = ({ request }: Served, taskIds: unknown, options?: RequestOptions) =>
  request('subscriptions/listen', { notifications: { taskIds } }, options);

/** Runs the effects at the reads of the store, one after another, starting with the second: the first is the snapshot. */
const atLooks = ({ ports }: Served, ...effects: (() => void)[]): void => {
  const next = (): void => {
    const effect = effects.shift();
    if (effect === undefined) return;
    ports.during('store.get', () => {
      effect();
      next();
    });
  };
  ports.during('store.get', next);
};

test('acknowledges the ids first, then tells the state of each task, then every change, and ends with the result', async () => {
  const server = serve();
  const { taskId, workflow } = await server.startTask();
  atLooks(
    server,
    () => workflow.report('Half way'),
    () => workflow.ask('confirm-1', QUESTION),
    () => workflow.complete(RESULT),
  );
  const { status, headers, messages } = await listen(server, [taskId], { id: 'listen-1' });

  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('text/event-stream');
  const [acknowledgement, ...rest] = messages;
  expect(acknowledgement).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { taskIds: [taskId] }, _meta: { [SUBSCRIPTION]: 'listen-1' } },
  });
  expect(rest.slice(0, -1).map(({ params }) => [params.status, params.statusMessage])).toEqual([
    ['working', undefined],
    ['working', 'Half way'],
    ['input_required', 'Half way'],
    ['completed', 'Half way'],
  ]);
  for (const notification of rest.slice(0, -1)) {
    expect(isTaskStatusNotificationV2(notification)).toBe(true);
    expect(notification.params._meta[SUBSCRIPTION]).toBe('listen-1');
  }
  expect(rest.at(-1)).toMatchObject({ id: 'listen-1', result: { resultType: 'complete' } });
});

test('a notification is what tasks/get would have answered', async () => {
  const server = serve();
  const { taskId, workflow } = await server.startTask();
  workflow.complete(RESULT);
  const { messages } = await listen(server, [taskId]);
  const { body } = await server.tasks.get(taskId);

  expect({ ...payloadOf(messages[1]!.params), resultType: 'complete' }).toEqual(payloadOf(body.result));
});

test('a task that had ended is told once, and the stream ends', async () => {
  const server = serve();
  const { taskId, workflow } = await server.startTask();
  workflow.fail({ code: -32603, message: 'It broke.' });
  const { messages } = await listen(server, [taskId]);

  expect(messages.map(({ method }) => method)).toEqual([
    'notifications/subscriptions/acknowledged',
    'notifications/tasks',
    undefined,
  ]);
});

test('what does not change is not told again', async () => {
  const server = serve();
  const { taskId, workflow } = await server.startTask();
  const nothing = () => undefined;
  atLooks(server, nothing, nothing, nothing, () => workflow.complete(RESULT));
  const { messages } = await listen(server, [taskId]);

  expect(messages.map(({ params }) => params?.status)).toEqual([
    undefined,
    'working',
    'completed',
    undefined,
  ]);
});

describe('what is left out of the acknowledgement, and never told', () => {
  test('unknown ids, ill-formed ones and somebody else’s', async () => {
    const server = serve();
    const hers = await server.startTask();
    hers.workflow.complete(RESULT);
    server.caller.tenant = 'bob';
    const his = await server.startTask();
    his.workflow.complete(RESULT);
    const strangers = [hers.taskId, newTaskId()];
    const { messages } = await listen(server, [...strangers, his.taskId]);

    expect(messages[0]?.params.notifications.taskIds).toEqual([his.taskId]);
    for (const taskId of strangers) expect(JSON.stringify(messages)).not.toContain(taskId);
    expect(
      (await listen(server, ['no id', `alice#${hers.taskId}`])).messages[0]?.params.notifications.taskIds,
    ).toEqual([]);
  });

  test('what goes beyond one stream’s limit; an id given twice counts once', async () => {
    const server = serve({ listen: { ...LIMITS, tasksPerStream: 2 } });
    const ids = [];
    for (let made = 0; made < 3; made += 1) {
      const { taskId, workflow } = await server.startTask();
      workflow.complete(RESULT);
      ids.push(taskId);
    }
    const { messages } = await listen(server, [ids[0], ids[0], ids[1], ids[2]]);

    expect(messages[0]?.params.notifications.taskIds).toEqual([ids[0], ids[1]]);
    expect(messages.filter(({ method }) => method === 'notifications/tasks')).toHaveLength(2);
  });

  test('everything, where listening is switched off: the stream ends at once', async () => {
    const server = serve({ listen: { ...LIMITS, tasksPerStream: 0 } });
    const { taskId } = await server.startTask();
    const { messages } = await listen(server, [taskId]);

    expect(messages[0]?.params.notifications.taskIds).toEqual([]);
    expect(messages).toHaveLength(2);
    expect(server.ports.calls).toEqual([]);
  });
});

describe('refused', () => {
  test('without the extension, by name, and nothing is read', async () => {
    const server = serve();
    const { taskId } = await server.startTask();
    const { status, body } = await listen(server, [taskId], { capabilities: {}, id: 'abc' });

    expect(status).toBe(400);
    expect(body).toMatchObject({ id: 'abc', error: { code: -32021 } });
    expect(body.error?.data).toEqual({
      requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
    });
    expect(server.ports.calls).toEqual([]);
  });

  test.each(['tsk_x', 5, { 0: 'tsk_x' }, [5], null])(
    'taskIds that are no list of texts: %j',
    async (taskIds) => {
      const server = serve();
      const { body } = await listen(server, taskIds);

      expect(body.error?.code).toBe(-32602);
      expect(server.ports.calls).toEqual([]);
    },
  );

  test('in neutral words when the store is out of reach', async () => {
    const server = serve();
    const { taskId } = await server.startTask();
    server.ports.crashAt('store.get', 'arn:aws:dynamodb is gone');
    const { body } = await listen(server, [taskId]);

    expect(body.error?.code).toBe(-32603);
    expect(JSON.stringify(body)).not.toContain('arn:');
    expect(server.logged).toHaveLength(1);
  });
});

test('a listen without task ids needs no extension, and ends by itself', async () => {
  const { request } = serve();
  const { status, messages } = await request(
    'subscriptions/listen',
    { notifications: { toolsListChanged: true } },
    { capabilities: {} },
  );

  expect(status).toBe(200);
  expect(messages[0]?.params.notifications).not.toHaveProperty('taskIds');
  expect(messages.at(-1)?.result).toBeDefined();
});

test('a look that fails is not the end: the next one tells', async () => {
  const server = serve();
  const { taskId, workflow } = await server.startTask();
  atLooks(
    server,
    () => {
      workflow.complete(RESULT);
      throw new Error('Throttled');
    },
    () => undefined,
  );
  const { messages } = await listen(server, [taskId]);

  expect(messages.at(-2)?.params.status).toBe('completed');
});

test('a task that expires meanwhile is not followed any longer', async () => {
  const server = serve();
  const { taskId } = await server.startTask();
  atLooks(server, () => server.ports.records.clear());
  const { messages } = await listen(server, [taskId]);

  expect(messages.at(-1)?.result).toBeDefined();
});

test('a stream ends gracefully at its time, with the result', async () => {
  const server = serve({ listen: { ...LIMITS, streamMs: 20 } });
  const { taskId } = await server.startTask();
  const { messages } = await listen(server, [taskId]);

  expect(messages.at(-2)?.params.status).toBe('working');
  expect(messages.at(-1)?.result).toBeDefined();
});

test('a stream ends gracefully when the platform is about to cut it', async () => {
  const server = serve();
  const { taskId } = await server.startTask();
  const ending = new AbortController();
  atLooks(server, () => ending.abort());
  const response = await server.open(
    'subscriptions/listen',
    { notifications: { taskIds: [taskId] } },
    {},
    { signal: ending.signal },
  );

  expect(await response.text()).toMatch(/"result":.*\n\n$/);
});

test('silence is broken by comments, which are no messages', async () => {
  const server = serve({ listen: { ...LIMITS, keepAliveMs: 0 } });
  const { taskId, workflow } = await server.startTask();
  atLooks(
    server,
    () => undefined,
    () => workflow.complete(RESULT),
  );
  const response = await server.open('subscriptions/listen', { notifications: { taskIds: [taskId] } });

  expect(await response.text()).toContain('\n\n: keep-alive\n\n');
});

test('a client that goes away ends the work: the store is not asked any more', async () => {
  const server = serve({ listen: { ...LIMITS, pollMs: 60_000, streamMs: 120_000 } });
  const { taskId } = await server.startTask();
  const response = await server.open('subscriptions/listen', { notifications: { taskIds: [taskId] } });
  const reader = response.body!.getReader();
  await reader.read();
  await reader.cancel();

  expect(server.ports.calls).toEqual(['store.get']);
});

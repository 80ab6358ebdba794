import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { seed } from '../../tools/run_migration/demo/records.ts';
import { useEngine } from '../support/engine.ts';
import { call, FULL_CLIENT, mcpRequest, startTask } from '../support/wire/request.ts';
import { listen, readStream, tells, type Message, type Stream } from '../support/wire/stream.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const UNKNOWN = 'tsk_AAAAAAAAAAAAAAAAAAAAAA';

describe('subscriptions/listen with taskIds, on the embedded engine', () => {
  const engine = useEngine();
  const open: Stream[] = [];
  const follow = async (
    ...args: Parameters<typeof listen> extends [string, ...infer Rest] ? Rest : never
  ) => {
    const stream = await listen(engine.mcpUrl, ...args);
    open.push(stream);
    return stream;
  };
  const countdown = (seconds: number): Promise<string> => startTask(engine.mcpUrl, 'countdown', { seconds });
  const get = async (taskId: string) => (await call(engine.mcpUrl, 'tasks/get', { taskId })).body.result;
  const cancel = (taskId: string) => call(engine.mcpUrl, 'tasks/cancel', { taskId });
  const key = (taskId: string) => ({ TableName: engine.table('Tasks'), Key: { pk: `public#${taskId}` } });

  beforeAll(() => seed(engine.documents, engine.table('Records')));
  afterEach(() => Promise.all(open.splice(0).map((stream) => stream.close())));

  test('acknowledges first, only the ids that exist and are the caller’s [TASKS-28] [SUB-2] [SUB-3]', async () => {
    const mine = await countdown(600);
    const { Item } = await engine.documents.send(new GetCommand(key(mine)));
    const theirs = 'tsk_somebodyElsesTask0000000';
    await engine.documents.send(
      new PutCommand({
        TableName: engine.table('Tasks'),
        Item: { ...Item, pk: `other#${theirs}`, tenant: 'other', taskId: theirs },
      }),
    );

    const asked = [UNKNOWN, theirs, mine, `other#${theirs}`, '', '__proto__', 'x'.repeat(10_000), mine];
    const stream = await follow(asked);
    expect(await stream.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [mine] }, _meta: { [SUBSCRIPTION]: 1 } },
    });
    await cancel(mine);
    const rest = await stream.rest();
    expect(JSON.stringify(rest)).not.toContain(theirs);
  });

  test('is an event stream that nothing on the way should buffer [HTTP-7] [HTTP-11]', async () => {
    const { response } = await follow([UNKNOWN]);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('cache-control')).toContain('no-cache');
    expect([...response.headers.keys()].filter((name) => name.startsWith('x-amzn-remapped'))).toEqual([]);
  });

  test('tells every change, as tasks/get tells it, and ends with the result [TASKS-30] [BASE-20] [SUB-4] [SUB-6] [HTTP-10]', async () => {
    const taskId = await startTask(engine.mcpUrl, 'run_migration', { migration: 'retire_free_plan' });
    const stream = await follow([taskId], { id: 'a string' });
    const notified = async (status: string): Promise<Message> => (await stream.until(tells(status))).at(-1)!;
    const asPolled = async () => {
      const { resultType, _meta, pollIntervalMs, ...task } = await get(taskId);
      expect(resultType).toBe('complete');
      expect(pollIntervalMs).toBeGreaterThan(0);
      return { ...task, pollIntervalMs: expect.any(Number), _meta: { [SUBSCRIPTION]: 'a string' } };
    };

    expect((await stream.next())!.params._meta).toEqual({ [SUBSCRIPTION]: 'a string' });
    const question = await notified('input_required');
    expect(question.params).toEqual(await asPolled());

    const inputResponses = Object.fromEntries(
      Object.keys(question.params.inputRequests).map((request) => [request, { action: 'decline' }]),
    );
    await call(engine.mcpUrl, 'tasks/update', { taskId, inputResponses });
    const completed = await notified('completed');
    expect(completed.params).toEqual(await asPolled());
    expect(completed.params.result.structuredContent.outcome).toBe('declined');

    expect(await stream.rest()).toEqual([
      {
        jsonrpc: '2.0',
        id: 'a string',
        result: {
          resultType: 'complete',
          _meta: {
            [SUBSCRIPTION]: 'a string',
            'io.modelcontextprotocol/serverInfo': { name: 'serverless-mcp-tasks', version: '0.1.0' },
          },
        },
      },
    ]);
  });

  test('starts with a snapshot of each task, and of an ended one says no more than that', async () => {
    const [ended, running] = [await countdown(600), await countdown(600)];
    await cancel(ended);
    const stream = await follow([ended, running]);
    await stream.next();
    const snapshots = [await stream.next(), await stream.next()];
    expect(snapshots.map((message) => [message!.params.taskId, message!.params.status])).toEqual([
      [ended, 'cancelled'],
      [running, 'working'],
    ]);
    await cancel(running);
    const rest = await stream.rest();
    expect(rest.map(({ params, result }) => params?.status ?? result.resultType)).toEqual([
      'cancelled',
      'complete',
    ]);
  });

  test('ends at once when no task is left to listen to', async () => {
    const stream = await follow([UNKNOWN]);
    const [ack, end, ...more] = await stream.rest();
    expect(ack!.params.notifications).toEqual({ taskIds: [] });
    expect(end!.result.resultType).toBe('complete');
    expect(more).toEqual([]);
  });

  test('forgets a task that expires while it is listened to', async () => {
    const taskId = await countdown(600);
    const stream = await follow([taskId]);
    await stream.until(tells('working'));
    await engine.documents.send(
      new UpdateCommand({
        ...key(taskId),
        UpdateExpression: 'SET expiresAt = :past',
        ExpressionAttributeValues: { ':past': 1 },
      }),
    );
    expect((await stream.rest()).map(({ result }) => result?.resultType)).toEqual(['complete']);
  });

  test('neither progress nor log messages come on the stream [TASKS-31] [HTTP-8] [HTTP-9] [CANCEL-2]', async () => {
    const taskId = await countdown(1);
    const init = mcpRequest('subscriptions/listen', {
      notifications: { taskIds: [taskId] },
      _meta: { progressToken: 7, 'io.modelcontextprotocol/logLevel': 'debug' },
    });
    const stream = readStream(await fetch(engine.mcpUrl, init));
    const methods = (await stream.rest()).map(({ method }) => method ?? 'the result');
    expect(new Set(methods)).toEqual(
      new Set(['notifications/subscriptions/acknowledged', 'notifications/tasks', 'the result']),
    );
  });

  test('two streams at once do not mix [SUB-5]', async () => {
    const [first, second] = [await countdown(600), await countdown(600)];
    const streams = [await follow([first], { id: 1 }), await follow([first, second], { id: 2 })];
    await Promise.all([cancel(first), cancel(second)]);
    const told = await Promise.all(streams.map((stream) => stream.rest()));
    const of = (messages: Message[]) => [
      new Set(messages.filter(({ method }) => method === 'notifications/tasks').map((m) => m.params.taskId)),
      new Set(messages.map(({ params, result }) => (params ?? result)._meta[SUBSCRIPTION])),
    ];
    expect(of(told[0]!)).toEqual([new Set([first]), new Set([1])]);
    expect(of(told[1]!)).toEqual([new Set([first, second]), new Set([2])]);
  });

  test('a client that goes away ends the work [HTTP-12] [HTTP-13] [CANCEL-3]', async () => {
    const [followed, other] = [await countdown(600), await countdown(600)];
    const stream = await listen(engine.mcpUrl, [followed]);
    await stream.until(tells('working'));
    await stream.close();

    // Another stream's looks are the clock: once it has taken three, the first one would have taken some too.
    const clock = await follow([other]);
    await clock.until(tells('working'));
    const looks: string[] = [];
    await new Promise<void>((done) => {
      const stop = engine.interceptAwsCalls(async ({ operation, body }, proceed) => {
        if (operation === 'GetItem') looks.push(body.toString().includes(other) ? other : followed);
        if (looks.length === 3) done();
        return proceed();
      });
      open.push({ close: async () => stop() } as Stream);
    });
    expect(looks).toEqual([other, other, other]);
  });

  test.each([
    ['a string', UNKNOWN],
    ['an object', { 0: UNKNOWN }],
    ['null', null],
    ['a list with a number in it', [UNKNOWN, 1]],
    ['a list of lists', [[UNKNOWN]]],
  ])('taskIds that are %s are refused with -32602', async (_, taskIds) => {
    const { status, body } = await call(engine.mcpUrl, 'subscriptions/listen', {
      notifications: { taskIds },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32602, message: 'params.notifications.taskIds must be an array of strings.' },
    });
  });

  test.each([
    ['nothing', {}],
    ['elicitation only', { elicitation: { form: {} } }],
    ['another extension', { ...FULL_CLIENT, extensions: { 'io.modelcontextprotocol/ui': {} } }],
  ])('a client that declares %s is refused with -32021 [TASKS-29] [TASKS-35]', async (_, capabilities) => {
    const taskId = await countdown(600);
    const request = { notifications: { taskIds: [taskId] } };
    const { status, body } = await call(engine.mcpUrl, 'subscriptions/listen', request, { capabilities });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
    });
  });

  test('changes of the lists are not announced, so they are not acknowledged [SUB-1]', async () => {
    const notifications = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ['test://any'],
    };
    for (const taskIds of [undefined, [UNKNOWN]]) {
      const stream = await follow(taskIds, { notifications });
      const [ack, end] = await stream.rest();
      expect(ack!.params.notifications).toEqual(taskIds === undefined ? {} : { taskIds: [] });
      expect(end!.result.resultType).toBe('complete');
    }
  });
});

import { describe, expect, test } from '@jest/globals';
import type { ListenLimits } from '../../lambdas/protocol/listen.ts';
import { mcpFetchFor } from '../../lambdas/protocol/mcp-fetch.ts';
import { UnknownTask } from '../../lambdas/protocol/errors.ts';
import type { TaskRecord } from '../../lambdas/protocol/task.ts';
import { checkedResponse } from '../support/wire/checked-response.ts';
import { mcpRequest } from '../support/wire/request.ts';
import { readStream, tells, type Stream } from '../support/wire/stream.ts';

const record = (taskId: string): TaskRecord => ({
  taskId,
  tenant: 'public',
  tool: 'any',
  executionArn: 'any',
  status: 'working',
  createdAt: '2026-07-28T12:00:00.000Z',
  lastUpdatedAt: '2026-07-28T12:00:00.000Z',
  ttlMs: 60_000,
  pollIntervalMs: 1_000,
  inputs: {},
});

/** An endpoint over records in memory, with limits that a test can wait for. */
const serverOf = (limits: Partial<ListenLimits> = {}) => {
  const records = new Map(['one', 'two', 'three'].map((taskId) => [taskId, record(taskId)]));
  const looks: string[] = [];
  const logged: string[] = [];
  let broken = false;
  const no = () => Promise.reject(new Error('not here'));
  const fetch = mcpFetchFor({
    name: 'test',
    version: '1',
    tools: {},
    handlers: {},
    tenantOf: () => 'public',
    tasks: {
      create: no,
      update: no,
      cancel: no,
      async get({ taskId }) {
        looks.push(taskId);
        if (broken) throw new Error('arn:aws:dynamodb is on fire');
        const found = records.get(taskId);
        if (found === undefined) throw new UnknownTask();
        return found;
      },
    },
    wait: { ms: 1_000, streams: true },
    listen: { tasksPerStream: 10, streamMs: 60_000, pollMs: 5, keepAliveMs: 60_000, ...limits },
    log: { warn: (message) => logged.push(message), error: (message) => logged.push(message) },
  });

  return {
    records,
    looks,
    logged,
    change: (taskId: string, change: Partial<TaskRecord>) =>
      records.set(taskId, { ...records.get(taskId)!, ...change }),
    breakDown: (value: boolean) => (broken = value),
    async respond(taskIds: unknown, signal?: AbortSignal): Promise<Response> {
      const init = mcpRequest('subscriptions/listen', { notifications: { taskIds } });
      const answered = await fetch(new Request('https://mcp.example/mcp', init), { signal });
      return checkedResponse(init.body as string, answered);
    },
    async listen(taskIds: unknown, signal?: AbortSignal): Promise<Stream> {
      return readStream(await this.respond(taskIds, signal));
    },
  };
};

const ends = (stream: Stream) => stream.rest().then((messages) => messages.at(-1)?.result?.resultType);

describe('limits of a listen stream', () => {
  test('it ends with the result when its time is over, though the task goes on', async () => {
    const server = serverOf({ streamMs: 50 });
    const started = Date.now();
    const stream = await server.listen(['one']);
    expect(await ends(stream)).toBe('complete');
    expect(Date.now() - started).toBeGreaterThan(30);
    expect(server.records.get('one')!.status).toBe('working');
  });

  test('it ends with the result when the platform is about to cut it', async () => {
    const ending = new AbortController();
    const stream = await serverOf().listen(['one'], ending.signal);
    await stream.until(tells('working'));
    ending.abort();
    expect(await ends(stream)).toBe('complete');
  });

  test('comments keep a quiet connection alive, and only a quiet one', async () => {
    const server = serverOf({ streamMs: 100, keepAliveMs: 20 });
    const stream = await server.listen(['one']);
    await stream.rest();
    const comments = stream.frames.flatMap((frame) => ('comment' in frame ? [frame.comment] : []));
    expect(comments.length).toBeGreaterThanOrEqual(1);
    expect(comments.length).toBeLessThanOrEqual(5);
    expect(new Set(comments)).toEqual(new Set([': keep-alive']));

    const busy = await serverOf({ streamMs: 50, keepAliveMs: 60_000 }).listen(['one']);
    await busy.rest();
    expect(busy.frames.every((frame) => 'message' in frame)).toBe(true);
  });

  test('it follows as many tasks as it may, the first that were asked for, each once', async () => {
    const server = serverOf({ tasksPerStream: 2, streamMs: 1 });
    const stream = await server.listen(['one', 'one', 'two', 'three']);
    expect((await stream.next())!.params.notifications).toEqual({ taskIds: ['one', 'two'] });
    await stream.rest();
    expect(server.looks).not.toContain('three');
  });

  test('a thousand ids cost no more looks than the limit', async () => {
    const server = serverOf({ tasksPerStream: 2 });
    await ends(await server.listen(Array.from({ length: 1_000 }, (_, index) => `unknown ${index}`)));
    expect(server.looks).toHaveLength(2);
  });

  test('switched off, none is acknowledged and none looked at', async () => {
    const server = serverOf({ tasksPerStream: 0 });
    const [ack, end, ...more] = await (await server.listen(['one'])).rest();
    expect(ack!.params.notifications).toEqual({ taskIds: [] });
    expect(end!.result.resultType).toBe('complete');
    expect(more).toEqual([]);
    expect(server.looks).toEqual([]);
  });

  test('a client that goes away ends the looks', async () => {
    const server = serverOf();
    const stream = await server.listen(['one']);
    await stream.until(tells('working'));
    await stream.close();
    const before = server.looks.length;
    const other = await server.listen(['two']);
    server.looks.length = 0;
    while (server.looks.length < 5) await new Promise(setImmediate);
    await other.close();
    expect(before).toBeGreaterThan(0);
    expect(server.looks).not.toContain('one');
  });

  test('what changes is told, and nothing else: the growing poll interval is no news', async () => {
    const server = serverOf();
    const stream = await server.listen(['one']);
    await stream.until(tells('working'));
    const looked = server.looks.length;
    while (server.looks.length < looked + 5) await new Promise(setImmediate);

    const params = { message: 'Really?', requestedSchema: { type: 'object', properties: {} } };
    const question = { method: 'elicitation/create', params };
    server.change('one', { inputs: { 'ask-1': { request: JSON.stringify(question), token: 'secret' } } });
    const [told] = await stream.until(tells('input_required'));
    expect(told!.params.inputRequests).toEqual({ 'ask-1': question });
    expect(JSON.stringify(told)).not.toContain('secret');

    server.change('one', { inputs: {}, statusMessage: 'Half way' });
    expect((await stream.next())!.params).toMatchObject({ status: 'working', statusMessage: 'Half way' });
    server.change('one', { status: 'failed', statusMessage: 'No', error: '{"code":-32603,"message":"No"}' });
    expect((await stream.next())!.params).toMatchObject({ status: 'failed', error: { code: -32603 } });
    expect(await ends(stream)).toBe('complete');
  });

  test('a look that fails is taken again, and the stream goes on', async () => {
    const server = serverOf();
    const stream = await server.listen(['one']);
    await stream.until(tells('working'));
    server.breakDown(true);
    while (server.logged.length === 0) await new Promise(setImmediate);
    server.breakDown(false);
    server.change('one', { status: 'cancelled' });
    expect((await stream.next())!.params.status).toBe('cancelled');
    expect(await ends(stream)).toBe('complete');
  });

  test('when the first look fails there is no stream, and the cause stays inside', async () => {
    const server = serverOf();
    server.breakDown(true);
    const response = await server.respond(['one']);
    expect(await response.json()).toMatchObject({
      id: 1,
      error: {
        code: -32603,
        message: expect.stringContaining('Internal error'),
        data: { retryAfterMs: expect.any(Number) },
      },
    });
    expect(server.logged).toEqual(['Request failed']);
  });
});

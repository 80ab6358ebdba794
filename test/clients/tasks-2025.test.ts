import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { Client as CurrentClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient, type TaskEnabledSession } from '@modelcontextprotocol/ext-tasks/client';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { useEngine } from '../support/engine.ts';
import { pollUntil, rpc } from '../support/tasks-client.ts';
import { connectV1 } from '../support/v1-client.ts';

/* eslint-disable @typescript-eslint/no-explicit-any -- a test reads what comes */
const REVISION = '2025-11-25';
const engine = useEngine();

/** One record that the migration would delete, which it asks about. */
beforeEach(() =>
  engine.documents.send(
    new PutCommand({
      TableName: engine.table('Records'),
      Item: { id: 'a', version: 1, email: 'a@example.com', plan: 'pro', status: 'closed' },
    }),
  ),
);

describe('the official v1 client', () => {
  let client: Client;
  const asked: any[] = [];

  beforeAll(async () => {
    client = await connectV1(engine.mcpUrl, REVISION, { elicitation: { form: {} } });
    client.setRequestHandler(ElicitRequestSchema, async (request) => {
      asked.push(request.params);
      return { action: 'accept', content: { confirm: true } };
    });
    await client.listTools();
  });
  afterAll(() => client.close());

  const run = async (name: string, args: Record<string, unknown>) => {
    const seen: any[] = [];
    const stream = client.experimental.tasks.callToolStream({ name, arguments: args }, CallToolResultSchema, {
      task: { ttl: 60_000 },
    });
    for await (const message of stream) seen.push(message);
    return seen;
  };

  test('runs a tool as a task, answers its question, and has the result', async () => {
    const seen = await run('run_migration', { migration: 'retire_free_plan' });
    expect(seen[0]).toMatchObject({ type: 'taskCreated', task: { status: 'working', ttl: 86_400_000 } });
    expect(seen.at(-1)).toMatchObject({
      type: 'result',
      result: { structuredContent: { outcome: 'applied', deleted: 1, total: 1 } },
    });
    expect(asked).toEqual([
      expect.objectContaining({
        message: 'Delete 1 of 1 records for good?',
        _meta: { 'io.modelcontextprotocol/related-task': { taskId: seen[0].task.taskId } },
      }),
    ]);
  });

  test('is told of a tool error as a failed task', async () => {
    const seen = await run('run_migration', { migration: 'drop_everything' });
    const statuses = seen.flatMap(({ type, task }) => (type === 'taskStatus' ? [task.status] : []));
    expect(statuses.at(-1)).toBe('failed');
  });

  test('cancels, and the extension reads it as cancelled', async () => {
    const { value } = (await client.experimental.tasks
      .callToolStream({ name: 'countdown', arguments: { seconds: 600 } }, CallToolResultSchema, { task: {} })
      .next()) as any;
    const { taskId } = value.task;
    expect(await client.experimental.tasks.cancelTask(taskId)).toMatchObject({ status: 'cancelled' });
    expect((await client.experimental.tasks.getTask(taskId)).status).toBe('cancelled');
    expect((await pollUntil(engine.mcpUrl, taskId, 'cancelled'))['status']).toBe('cancelled');
  });

  test('reads a task that the extension has made', async () => {
    const { result } = await rpc(engine.mcpUrl, 'tools/call', {
      name: 'countdown',
      arguments: { seconds: 0 },
    });
    await pollUntil(engine.mcpUrl, result!['taskId'], 'completed');
    expect(
      await client.experimental.tasks.getTaskResult(result!['taskId'], CallToolResultSchema),
    ).toMatchObject({
      content: [{ text: 'Lift-off after 0 seconds.' }],
    });
  });

  test('calls a tool without a task as well', async () => {
    const { structuredContent } = await client.callTool({ name: 'countdown', arguments: { seconds: 0 } });
    expect(structuredContent).toMatchObject({ status: 'working' });
  });
});

describe('ext-tasks’ client of 2025-11-25', () => {
  let client: CurrentClient;
  let session: TaskEnabledSession;
  const asked: any[] = [];

  beforeAll(async () => {
    client = new CurrentClient(
      { name: 'ext-tasks', version: '1.0.0' },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'legacy' } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(engine.mcpUrl)));
    session = createTaskSessionFromClient(client, {
      endpointId: engine.mcpUrl,
      async onInputRequest(request) {
        asked.push(request.params);
        return { action: 'accept', content: { confirm: true } } as never;
      },
    });
  });
  afterAll(async () => {
    await session.close();
    await client.close();
  });

  const task = { preference: 'require' } as const;

  test('runs a tool as a task', async () => {
    const execution = await session.callTool('countdown', { seconds: 1 }, { task });
    expect(execution.kind).toBe('task');
    const { outcome } = await execution.settle();
    expect(outcome).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'Lift-off after 1 seconds.' }] },
    });
  });

  test('answers a question once somebody listens to the result, which it does not by itself', async () => {
    const execution = await session.callTool('run_migration', { migration: 'retire_free_plan' }, { task });
    const { taskId } = execution.handle!;
    const settled = execution.settle();
    const request = { method: 'tasks/result', params: { taskId } };
    await client.request(request, z.looseObject({}));
    expect((await settled).outcome).toMatchObject({
      status: 'completed',
      result: { structuredContent: { outcome: 'applied' } },
    });
    expect(asked).toHaveLength(1);
  });

  test('cancels', async () => {
    const execution = await session.callTool('countdown', { seconds: 600 }, { task });
    await execution.cancel();
    expect((await execution.settle()).outcome.status).toBe('cancelled');
  });
});

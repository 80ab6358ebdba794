import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  resultFromTaskOutcome,
  TaskCancelledError,
  taskViewFromExecutionEvent,
} from '@modelcontextprotocol/ext-tasks/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { connect, type ConnectOptions, type McpConnection } from '../../local/mcp-client.ts';
import { demoRecords, seed } from '../../tools/run_migration/demo/records.ts';
import { useEngine } from '../support/engine.ts';
import { LISTED_TOOLS } from '../support/listed-tools.ts';

const engine = useEngine();
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const connection of open.splice(0)) await connection.close();
});

describe('the official client with the Tasks extension', () => {
  const client = async (options?: ConnectOptions): Promise<McpConnection> => {
    const connection = await connect(engine.mcpUrl, options);
    open.push(connection);
    return connection;
  };
  const task = async (
    connection: McpConnection,
    name: string,
    args: Record<string, string | number> = {},
  ) => {
    const execution = await connection.session.callTool(name, args);
    if (execution.kind !== 'task') throw new Error(`${name} should have become a task`);
    return execution;
  };
  const answering = (confirm: boolean): ConnectOptions => ({
    onQuestion: async () => ({ action: 'accept', content: { confirm } }) as never,
  });

  beforeEach(() => seed(engine.documents, engine.table('Records'), demoRecords().slice(0, 60)));

  test('lists the tools', async () => {
    const { client: listing } = await client();
    const { tools } = await listing.listTools();
    expect(tools.map(({ name }) => name)).toEqual(LISTED_TOOLS);
  });

  test('a synchronous tool answers at once, in the session too', async () => {
    const { client: calling, session } = await client();
    const direct = await calling.callTool({ name: 'list_migrations', arguments: {} });
    const execution = await session.callTool('list_migrations', {});
    expect(execution.kind).toBe('immediate');
    const { outcome } = await execution.settle();
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ structuredContent: direct.structuredContent });
  });

  test('a task asks, is answered, and completes with the result', async () => {
    const seen = new Set<string>();
    const execution = await task(await client(answering(true)), 'run_migration', {
      migration: 'retire_free_plan',
    });
    const { outcome } = await execution.settle({
      onEvent: (event) => void seen.add(taskViewFromExecutionEvent(event)?.status ?? 'none'),
    });
    expect(seen).toContain('input_required');
    expect(resultFromTaskOutcome(outcome)).toMatchObject({
      structuredContent: { outcome: 'applied', total: 60 },
    });
  });

  test('a cancelled task is told as cancelled', async () => {
    const execution = await task(await client(), 'countdown', { seconds: 600 });
    await execution.cancel();
    const { outcome } = await execution.settle();
    expect(outcome.status).toBe('cancelled');
    expect(() => resultFromTaskOutcome(outcome)).toThrow(TaskCancelledError);
  });

  test('a tool error is a result', async () => {
    const execution = await task(await client(answering(true)), 'run_migration', { migration: 'no_such' });
    const { outcome } = await execution.settle();
    expect(outcome.status).toBe('completed');
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ isError: true });
  });

  test('a task is brought to its end by another process, from what the first one stored', async () => {
    // Never closed, as if its process had ended: closing a session cancels what it drives.
    const first = await connect(engine.mcpUrl, answering(true));
    const execution = await task(first, 'run_migration', { migration: 'retire_free_plan' });
    let stored = '';
    await execution.handoff((reference) => void (stored = JSON.stringify(reference)));

    const script = join(import.meta.dirname, 'resume.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--import',
      'tsx',
      script,
      engine.mcpUrl,
      stored,
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'completed',
      result: { structuredContent: { outcome: 'applied', total: 60 } },
    });
  });

  test('a task that this client cannot drive is refused with what it lacks', async () => {
    const { session } = await client();
    await expect(session.callTool('run_migration', { migration: 'retire_free_plan' })).rejects.toThrow(
      /may ask questions.*requiredCapabilities/,
    );
  });
});

const earlier = { name: 'earlier', version: '1' };

/** The SDK of 2026 speaking an earlier revision, and the SDK that people had then. */
const legacyClients = {
  'the v2 SDK, revision 2025-11-25': () => connectV2('2025-11-25'),
  'the v2 SDK, revision 2025-06-18': () => connectV2('2025-06-18'),
  'the v1 SDK': async () => {
    const client = new ClientV1(earlier);
    const errors: Error[] = [];
    client.onerror = (error) => errors.push(error);
    await client.connect(new TransportV1(new URL(engine.mcpUrl)));
    return { client, errors };
  },
};

const connectV2 = async (version: string) => {
  const client = new Client(earlier, { supportedProtocolVersions: [version] });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(new StreamableHTTPClientTransport(new URL(engine.mcpUrl)));
  expect(client.getNegotiatedProtocolVersion()).toBe(version);
  return { client, errors };
};

describe.each(Object.entries(legacyClients))('%s', (_, connectLegacy) => {
  const legacy = async () => {
    const connection = await connectLegacy();
    open.push(connection.client);
    return connection;
  };

  test('connects, lists, and calls a synchronous tool, without an error on the way', async () => {
    const { client, errors } = await legacy();
    expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: false } });
    expect(client.getServerCapabilities()).not.toHaveProperty('extensions');
    expect((await client.listTools()).tools).toHaveLength(6);
    const result = await client.callTool({ name: 'list_migrations', arguments: {} });
    expect(result.isError ?? false).toBe(false);
    expect(result.content).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  test('gets the handle of a task tool in an ordinary result, and brings it to its end', async () => {
    const { client, errors } = await legacy();
    const started = await client.callTool({ name: 'countdown', arguments: { seconds: 0 } });
    expect(started).not.toHaveProperty('task');
    expect(started).not.toHaveProperty('resultType');
    const { taskId } = started.structuredContent as { taskId: string };
    const done = await client.callTool({ name: 'task_status', arguments: { taskId, waitSeconds: 20 } });
    expect(done.structuredContent).toMatchObject({ taskId, status: 'completed' });
    expect(errors).toEqual([]);
  });
});

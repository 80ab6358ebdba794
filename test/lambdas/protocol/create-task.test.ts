import { describe, expect, test } from '@jest/globals';
import { isCreateTaskResultV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { isTaskId } from '../../../lambdas/protocol/task.ts';
import { PAYLOAD_LIMIT_BYTES } from '../../../lambdas/protocol/payload.ts';
import { payloadOf, serve } from '../../support/mcp.ts';
import { SECRET } from '../../support/tools.ts';

const BRIDGE = { what: 'a bridge' };

describe('the answer', () => {
  test('is a CreateTaskResult', async () => {
    const { status, body } = await serve().call('build', BRIDGE);

    expect(status).toBe(200);
    expect(isCreateTaskResultV2(body.result)).toBe(true);
    expect(body.result).toMatchObject({
      resultType: 'task',
      status: 'working',
      ttlMs: 3_600_000,
      pollIntervalMs: 500,
    });
    expect(isTaskId(body.result.taskId)).toBe(true);
    expect(body.result.lastUpdatedAt).toBe(body.result.createdAt);
    expect(new Date(body.result.createdAt).toISOString()).toBe(body.result.createdAt);
  });

  test('is flat: no nested task, no result, no ttl of the 2025 revision', async () => {
    const { body } = await serve().call('build', BRIDGE);

    for (const absent of ['task', 'result', 'ttl', 'inputRequests', 'error']) {
      expect(body.result).not.toHaveProperty(absent);
    }
  });

  test('has nothing of a CallToolResult, which a reader of the 2025 revisions would take for a success', async () => {
    const { body } = await serve().call('build', BRIDGE);

    expect(Object.keys(payloadOf(body.result)).sort()).toEqual(
      ['createdAt', 'lastUpdatedAt', 'pollIntervalMs', 'resultType', 'status', 'taskId', 'ttlMs'].sort(),
    );
  });
});

describe('the order of writes', () => {
  test('the record is stored, then the workflow started, then the caller answered; nothing else', async () => {
    const { ports, call } = serve();
    await call('build', BRIDGE);

    expect(ports.calls).toEqual(['store.create', 'workflows.start']);
  });

  test('a tasks/get in the moment of the start already finds the task', async () => {
    const { ports, call, caller } = serve();
    let found: unknown;
    ports.during('workflows.start', () => {
      found = ports.record({ ...caller, taskId: [...ports.records.values()][0]!.taskId })?.status;
    });
    await call('build', BRIDGE);

    expect(found).toBe('working');
  });

  test('no start without a record', async () => {
    const { ports, call } = serve();
    ports.crashAt('store.create');
    const { body } = await call('build', BRIDGE);

    expect(body.error?.code).toBe(-32603);
    expect(ports.calls).toEqual(['store.create']);
    expect(ports.started).toEqual([]);
  });

  test('a failed start is an error to the caller, and a second try gets a task of its own', async () => {
    const { ports, call } = serve();
    ports.crashAt('workflows.start');

    expect((await call('build', BRIDGE)).body.error?.code).toBe(-32603);
    const { body } = await call('build', BRIDGE);
    expect(ports.started.map(({ input }) => input.task.id)).toEqual([body.result.taskId]);
  });
});

describe('what is stored and started', () => {
  test('the record names the tool, the tenant and the execution, and has no answer yet', async () => {
    const { ports, startTask } = serve();
    const { ref, taskId } = await startTask();

    expect(ports.record(ref)).toEqual({
      taskId,
      tenant: 'alice',
      tool: 'build',
      executionArn: ports.workflows.executionArn('build', taskId),
      status: 'working',
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
      ttlMs: 3_600_000,
      pollIntervalMs: 500,
      expiresAt: expect.any(Number),
      inputs: {},
    });
  });

  test('the execution gets the task and the validated arguments, and no more', async () => {
    const { ports, call } = serve();
    const { body } = await call('build', { ...BRIDGE, unknown: 'dropped by the schema' });
    const { taskId, createdAt } = body.result;

    expect(ports.started).toEqual([
      {
        tool: 'build',
        input: {
          task: {
            id: taskId,
            key: `alice#${taskId}`,
            tool: 'build',
            tenant: 'alice',
            createdAt,
            expiresAt: Math.ceil(Date.parse(createdAt) / 1000 + 3_600),
          },
          arguments: BRIDGE,
        },
      },
    ]);
  });

  test('two calls with the same arguments are two tasks', async () => {
    const { call } = serve();
    const ids = [await call('build', BRIDGE), await call('build', BRIDGE)].map(
      ({ body }) => body.result.taskId,
    );

    expect(new Set(ids).size).toBe(2);
  });

  test.each([
    ['100 KB', { what: 'x'.repeat(100_000) }],
    ['emoji and other planes', { what: '👩‍👩‍👧 𝒜 naïve 漢字 \u0000 \\ "quoted" {} $.path' }],
    ['the largest safe integer', { what: 'n', count: Number.MAX_SAFE_INTEGER }],
    ['the smallest fraction', { what: 'n', count: Number.MIN_VALUE }],
  ])('%s of arguments reaches the workflow as it was sent', async (_, args) => {
    const { ports, call } = serve();
    await call('build', args);

    expect(ports.started[0]?.input.arguments).toEqual(args);
  });
});

describe('arguments that are too large', () => {
  /** An execution input of exactly `bytes`, as the default task's ids have a fixed length. */
  const argumentsFor = async (bytes: number): Promise<{ what: string }> => {
    const { ports, startTask } = serve();
    await startTask('build', { what: 'x' });
    const overhead = Buffer.byteLength(JSON.stringify(ports.started[0]?.input)) - 1;
    return { what: 'x'.repeat(bytes - overhead) };
  };

  test('are refused with words, and nothing is written', async () => {
    const { ports, call } = serve();
    const { status, body } = await call('build', await argumentsFor(PAYLOAD_LIMIT_BYTES + 1));

    expect(status).toBe(200);
    expect(body.result.isError).toBe(true);
    expect(body.result.content[0].text).toMatch(/arguments of build are too large.*256 KB/);
    expect(ports.calls).toEqual([]);
  });

  test('count in bytes, as Step Functions counts, not in characters', async () => {
    const { ports, call } = serve();
    const { body } = await call('build', { what: '漢'.repeat(PAYLOAD_LIMIT_BYTES / 3) });

    expect(body.result.isError).toBe(true);
    expect(ports.calls).toEqual([]);
  });
});

describe('an outage', () => {
  test.each(['store.create', 'workflows.start'])(
    'of %s is told in neutral words; operators get the cause',
    async (port) => {
      const { ports, call, logged } = serve();
      ports.crashAt(port, `User is not authorized on ${SECRET}`);
      const { body } = await call('build', BRIDGE);

      expect(body.error?.code).toBe(-32603);
      expect(JSON.stringify(body)).not.toMatch(/arn:|authorized| at .*\.ts/);
      expect(logged).toHaveLength(1);
      expect(String(logged[0]?.details['error'])).toContain(SECRET);
    },
  );

  test('does not claim that trying again is safe: the execution may have been started all the same', async () => {
    const { ports, call } = serve();
    ports.crashAt('workflows.start', 'socket hang up');
    const { body } = await call('build', BRIDGE);

    expect(body.error?.message).not.toMatch(/safe to try again/i);
  });
});

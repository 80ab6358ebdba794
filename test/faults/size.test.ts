import type { CallToolResult } from '@modelcontextprotocol/server';
import { beforeAll, expect, test } from '@jest/globals';
import { isOver, taskClient, type TaskClient } from './client.ts';
import { recordOf, useFaultsEngine } from './engine.ts';

const engine = useFaultsEngine();
let client: TaskClient;
beforeAll(() => {
  client = taskClient(engine.mcpUrl);
});

const large = async (bytes: number): Promise<{ taskId: string; result: CallToolResult }> => {
  const { taskId } = await client.call('large', { bytes });
  const task = await client.until(taskId, isOver);
  if (task.status !== 'completed') throw new Error(JSON.stringify(task));
  return { taskId, result: task.result as CallToolResult };
};

/** The end of an execution is reported to the reconciler as well, in its own time. */
const endpointCalls = (): string[] =>
  engine.calls.filter(({ caller }) => caller.startsWith('Endpoint')).map(({ operation }) => operation);

test.each([10, 40_000, 60_000, 150_000, 300_000])(
  'a result of %i quotes is delivered whole',
  async (bytes) => {
    const { result } = await large(bytes);
    expect(result).toEqual({ resultType: 'complete', content: [{ type: 'text', text: '"'.repeat(bytes) }] });
  },
);

test('what fits into the record is there, and costs no call more', async () => {
  const { taskId } = await large(40_000);
  expect(await recordOf(engine, taskId)).toHaveProperty('result');
  engine.resetCalls();
  await client.get(taskId);
  expect(endpointCalls()).toEqual(['GetItem']);
});

test('what does not is in S3: one call more', async () => {
  const { taskId } = await large(300_000);
  const record = await recordOf(engine, taskId);
  expect(record).not.toHaveProperty('result');
  expect(record).toMatchObject({ storedResult: { bytes: 600_063 } });
  engine.resetCalls();
  await client.get(taskId);
  expect(endpointCalls()).toEqual(['GetItem', 'GetObject']);
});

test('what the API cannot carry is delivered as a link, which gives it whole', async () => {
  const { result } = await large(1_200_000);
  const link = result.content.find(({ type }) => type === 'resource_link');
  if (link?.type !== 'resource_link') throw new Error(JSON.stringify(result));
  expect(link).toMatchObject({ mimeType: 'application/json', size: 2_400_063 });
  expect(link.uri).toMatch(/X-Amz-Expires=900&/);
  const whole = (await (await fetch(link.uri)).json()) as CallToolResult;
  expect(whole).toEqual({ resultType: 'complete', content: [{ type: 'text', text: '"'.repeat(1_200_000) }] });
});

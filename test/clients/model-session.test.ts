import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { seed } from '../../tools/run_migration/demo/records.ts';
import { useEngine } from '../support/engine.ts';
import { LISTED_TOOLS } from '../support/listed-tools.ts';
import { connectV1 } from '../support/v1-client.ts';

/* eslint-disable @typescript-eslint/no-explicit-any -- a model reads what comes */
const engine = useEngine();
let client: Client;

beforeAll(async () => {
  client = await connectV1(engine.mcpUrl, '2025-06-18');
});
afterAll(() => client.close());

/** A tool call as a model makes it: name and arguments in, text and structured content out. */
const call = async (name: string, args: Record<string, unknown>) => {
  const result: any = await client.callTool({ name, arguments: args });
  const text: string = result.content.map((block: any) => block.text ?? '').join('\n');
  return { text, structured: result.structuredContent, isError: result.isError === true };
};

test('a model migrates with a plain client of 2025-06-18: list, call, status, answer, status, result', async () => {
  await seed(engine.documents, engine.table('Records'));
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(LISTED_TOOLS);
  for (const { execution } of tools) expect(execution?.taskSupport).toBeUndefined();

  const started = await call('run_migration', { migration: 'retire_free_plan' });
  const { taskId } = started.structured;
  expect(started.text).toContain('Call task_status');

  const asked = await call('task_status', { taskId, waitSeconds: 20 });
  expect(asked.structured.status).toBe('input_required');
  const [question] = asked.structured.questions;
  expect(question.message).toBe('Delete 47 of 342 records for good?');

  const wrong = await call('task_answer', { taskId, key: question.key, action: 'accept', content: {} });
  expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('confirm') });

  const answer = { action: 'accept', content: { confirm: true } };
  const answered = await call('task_answer', { taskId, key: question.key, ...answer });
  expect(answered.text).toContain('was passed on');

  const done = await call('task_status', { taskId, waitSeconds: 20 });
  expect(done.structured).toMatchObject({
    status: 'completed',
    result: { migration: 'retire_free_plan', outcome: 'applied', total: 342, updated: 75, deleted: 47 },
  });
  expect(done.text).toContain('retire_free_plan: 75 records updated, 47 deleted, of 342.');
});

test('a model asks for a cancellation, and reads how the task ended', async () => {
  const { taskId } = (await call('countdown', { seconds: 600 })).structured;
  const requested = await call('task_cancel', { taskId });
  expect(requested.text).toMatch(/^Requested that the task .* be cancelled/);
  expect((await call('task_status', { taskId })).structured.status).toBe('cancelled');
});

test('a tool error is a tool error, and an unknown task one too', async () => {
  const { taskId } = (await call('run_migration', { migration: 'drop_everything' })).structured;
  const done = await call('task_status', { taskId, waitSeconds: 20 });
  expect(done).toMatchObject({ isError: true, text: expect.stringContaining('Unknown migration') });
  expect(await call('task_status', { taskId: 'tsk_none' })).toMatchObject({ isError: true });
});

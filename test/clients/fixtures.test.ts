import { afterEach, describe, expect, test } from '@jest/globals';
import {
  resultFromTaskOutcome,
  TaskCancelledError,
  TaskFailedError,
} from '@modelcontextprotocol/ext-tasks/client';
import { connect, type ConnectOptions, type McpConnection } from '../../local/mcp-client.ts';
import { readAssembly } from '../../local/synth.ts';
import { useEngine } from '../support/engine.ts';
import { pollUntil } from '../support/tasks-client.ts';
import { call, startTask } from '../support/wire/request.ts';

/** What shipped tools do not do, done by the fixtures of the official suite. */
describe('the official client drives every kind of end', () => {
  const engine = useEngine({}, async () => readAssembly(process.env['CONFORMANCE_ASSEMBLY']!));
  const open: McpConnection[] = [];

  const run = async (name: string, args: Record<string, string | number> = {}) => {
    const asked: string[] = [];
    const onQuestion: ConnectOptions['onQuestion'] = async ({ params }) => {
      asked.push(String(params?.['message']));
      return { action: 'accept', content: { confirm: true, name: 'Ada' } } as never;
    };
    const connection = await connect(engine.mcpUrl, { onQuestion });
    open.push(connection);
    const execution = await connection.session.callTool(name, args);
    return { execution, asked };
  };
  const settle = async (name: string, args?: Record<string, string | number>) => {
    const { execution, asked } = await run(name, args);
    const { outcome } = await execution.settle();
    return { outcome, asked };
  };

  afterEach(async () => {
    for (const connection of open.splice(0)) await connection.close();
  });

  test('a result', async () => {
    const { outcome } = await settle('slow_compute', { seconds: 0 });
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ text: 'Computed for 0 seconds.' }] });
  });

  test('a result after a question', async () => {
    const { outcome, asked } = await settle('confirm_delete', { filename: 'a.txt' });
    expect(asked).toEqual(['Delete a.txt?']);
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ text: 'a.txt: accept' }] });
  });

  test('a result after two questions at once', async () => {
    const { outcome, asked } = await settle('multi_input');
    expect(asked.sort()).toEqual(['What is your first name?', 'What is your second name?']);
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ text: 'accept accept' }] });
  });

  test('a result after a round before the task', async () => {
    const { outcome, asked } = await settle('test_tool_with_task');
    expect(asked).toEqual(['What is your name?']);
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ text: 'Hello, Ada!' }] });
  });

  test('a tool error', async () => {
    const { outcome } = await settle('failing_job');
    expect(outcome.status).toBe('completed');
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ isError: true });
  });

  test('a protocol error, with its code [TASKS-16] [TASKS-38] [TASKS-40]', async () => {
    const { outcome } = await settle('protocol_error_job');
    expect(outcome.status).toBe('failed');
    expect(() => resultFromTaskOutcome(outcome)).toThrow(TaskFailedError);
    expect(outcome).toMatchObject({ error: { code: expect.any(Number), message: expect.any(String) } });
  });

  test('a cancel', async () => {
    const { execution } = await run('slow_compute', { seconds: 600 });
    await execution.cancel();
    const { outcome } = await execution.settle();
    expect(() => resultFromTaskOutcome(outcome)).toThrow(TaskCancelledError);
  });

  test('of two open questions the one that is answered goes, the other stays word for word [TASKS-13] [TASKS-18]', async () => {
    const taskId = await startTask(engine.mcpUrl, 'multi_input', {});
    const both = async (): Promise<Record<string, unknown>> => {
      const { inputRequests } = await pollUntil(engine.mcpUrl, taskId, 'input_required');
      return Object.keys(inputRequests).length === 2 ? inputRequests : both();
    };
    const [[answered], [left, question]] = Object.entries(await both()) as [
      [string, unknown],
      [string, unknown],
    ];
    const inputResponses = { [answered]: { action: 'decline', more: 'than asked for' } };
    await call(engine.mcpUrl, 'tasks/update', { taskId, inputResponses });
    const { result } = (await call(engine.mcpUrl, 'tasks/get', { taskId })).body;
    expect([result.status, result.inputRequests]).toEqual(['input_required', { [left]: question }]);
    await call(engine.mcpUrl, 'tasks/cancel', { taskId });
  });
});

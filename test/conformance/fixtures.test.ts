import { describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { connect } from '../../local/mcp-client.ts';
import { readAssembly } from '../../local/synth.ts';
import { useEngine } from '../support/engine.ts';
import { pollUntil, rpc } from '../support/tasks-client.ts';

const assembly = readAssembly(process.env['CONFORMANCE_ASSEMBLY']!);
const engine = useEngine({}, async () => assembly);

const ELICITATION = { capabilities: { elicitation: {} } };
const call = (name: string, params: object = {}, options = ELICITATION as { capabilities: object }) =>
  rpc(engine.mcpUrl, 'tools/call', { name, arguments: {}, ...params }, options);
/** The official client as it was before tasks were an extension. */
const connectOlder = async (): Promise<Client> => {
  const client = new Client({ name: 'older', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(engine.mcpUrl)));
  expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
  return client;
};
const callsOf = (operation: string) => engine.calls.filter((call) => call.operation === operation);

describe('state between rounds, with the key in Secrets Manager', () => {
  const NAME = 'test_input_required_result_request_state';
  const inputResponses = { confirm: { action: 'accept', content: { ok: true } } };

  test('is sealed with a key that is read once, and only when a tool needs it', async () => {
    engine.resetCalls();
    await call('test_input_required_result_elicitation');
    expect(callsOf('GetSecretValue')).toEqual([]);

    const { result } = await call(NAME);
    const again = await call(NAME, { inputResponses, requestState: result!['requestState'] });
    expect(again.result).toMatchObject({ content: [{ text: 'state-ok' }] });
    await call(NAME);
    expect(callsOf('GetSecretValue')).toHaveLength(1);
  });

  test('is refused by another tool, and by the same tool with other arguments', async () => {
    const { result } = await call(NAME);
    const requestState = result!['requestState'];
    const elsewhere = await call('test_input_required_result_tampered_state', {
      inputResponses,
      requestState,
    });
    expect(elsewhere).toMatchObject({ error: { code: -32602, data: { reason: 'invalid_request_state' } } });
    const otherwise = await call('greet', { arguments: { name: 'Alice' }, requestState });
    expect(otherwise).toMatchObject({ error: { code: -32602 } });
  });

  test('the key is in no template, no environment and no log', () => {
    const { Resources } = assembly.template;
    const secrets = Object.values(Resources).filter(({ Type }) => Type === 'AWS::SecretsManager::Secret');
    expect(secrets).toHaveLength(1);
    expect(secrets[0]!.Properties).not.toHaveProperty('SecretString');
    expect(engine.logs.filter((line) => line.includes('SecretString'))).toEqual([]);
  });
});

describe('a task tool that asks before its task exists', () => {
  test('is driven by the official client: the answer is in the task’s result', async () => {
    const asked: string[] = [];
    const { session, close } = await connect(engine.mcpUrl, {
      onQuestion: async ({ params }) => {
        asked.push(String(params?.['message']));
        return { action: 'accept', content: { name: 'Alice' } } as never;
      },
    });
    const execution = await session.callTool('test_tool_with_task', {});
    const { outcome } = await execution.settle();
    expect(asked).toEqual(['What is your name?']);
    expect((resultFromTaskOutcome(outcome) as CallToolResult).content).toEqual([
      { type: 'text', text: 'Hello, Alice!' },
    ]);
    await close();
  });

  test('writes nothing as long as it asks', async () => {
    engine.resetCalls();
    const { result } = await rpc(engine.mcpUrl, 'tools/call', { name: 'test_tool_with_task', arguments: {} });
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { user_name: {} } });
    expect(result).not.toHaveProperty('taskId');
    expect(callsOf('PutItem')).toEqual([]);
  });

  test('asks nothing of a client that has no tasks', async () => {
    const { status, error } = await call('test_tool_with_task');
    expect(status).toBe(400);
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
    });
  });

  test('asks again when the answer does not fit', async () => {
    const { result } = await rpc(engine.mcpUrl, 'tools/call', {
      name: 'test_tool_with_task',
      arguments: {},
      inputResponses: { user_name: { action: 'accept', content: { name: 7 } } },
    });
    expect(result).toMatchObject({ resultType: 'input_required' });
  });
});

describe('a task tool that may be waited for', () => {
  test('gives its result to a client without the extension', async () => {
    const { result } = await call('slow_compute', { arguments: { seconds: 1 } }, { capabilities: {} });
    expect(result).toMatchObject({
      resultType: 'complete',
      content: [{ type: 'text', text: 'Computed for 1 seconds.' }],
    });
    expect(result).not.toHaveProperty('taskId');
  });

  test('gives its result to a client of 2025-11-25', async () => {
    const client = await connectOlder();
    const result = await client.callTool({ name: 'slow_compute', arguments: { seconds: 0 } });
    expect(result.content).toEqual([{ type: 'text', text: 'Computed for 0 seconds.' }]);
    await client.close();
  });

  test('is a task for a client with the extension', async () => {
    const { result } = await rpc(engine.mcpUrl, 'tools/call', {
      name: 'slow_compute',
      arguments: { seconds: 0 },
    });
    expect(result).toMatchObject({ resultType: 'task', status: 'working' });
    expect(await pollUntil(engine.mcpUrl, result!['taskId'], 'completed')).toMatchObject({
      result: { content: [{ text: 'Computed for 0 seconds.' }] },
    });
  });

  test('is stopped when it takes longer than the request may', async () => {
    engine.resetCalls();
    const { result } = await call('slow_compute', { arguments: { seconds: 60 } }, { capabilities: {} });
    expect(result).toMatchObject({
      resultType: 'complete',
      isError: true,
      content: [{ text: expect.stringContaining('not done within 3 seconds') }],
    });
    expect(callsOf('StopExecution')).toHaveLength(1);
  });
});

describe('a client of an earlier revision', () => {
  test('is told when a tool has to ask and this client cannot be asked', async () => {
    const client = await connectOlder();
    const result = await client.callTool({ name: 'test_input_required_result_elicitation', arguments: {} });
    expect(result.isError).toBe(true);
    await client.close();
  });
});

describe('a page in a browser', () => {
  test.each([
    ['of this machine', { Origin: 'http://localhost:6274' }, 200],
    ['from elsewhere', { Origin: 'https://evil.example.com' }, 403],
  ])('%s', async (_, headers, status) => {
    expect((await rpc(engine.mcpUrl, 'tools/list', {}, { headers })).status).toBe(status);
  });
});

import { describe, expect, test } from '@jest/globals';
import { serve } from '../../support/mcp.ts';
import { QUESTION } from '../../support/tools.ts';

const EXTENSIONS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const FORM = { elicitation: { form: {} } };
const URL = { elicitation: { url: {} } };

describe('a call of a task tool', () => {
  test.each([
    ['the extension', 'build', {}, EXTENSIONS],
    ['the extension', 'deploy', FORM, EXTENSIONS],
    ['elicitation', 'deploy', EXTENSIONS, FORM],
    ['both', 'deploy', {}, { ...EXTENSIONS, ...FORM }],
    ['form mode, when only URL mode is there', 'deploy', { ...EXTENSIONS, ...URL }, FORM],
    ['URL mode, when only form mode is there', 'pay', { ...EXTENSIONS, ...FORM }, URL],
    ['URL mode, when no mode is named', 'pay', { ...EXTENSIONS, elicitation: {} }, URL],
    ['both modes', 'pay', EXTENSIONS, { elicitation: { form: {}, url: {} } }],
    ['sampling', 'summarize', EXTENSIONS, { sampling: {} }],
    ['other extensions do not count', 'build', { extensions: { 'example.com/tasks': {} } }, EXTENSIONS],
  ])('without %s: %s is refused before a task exists', async (_, tool, capabilities, required) => {
    const { ports, call } = serve();
    const { status, body } = await call(tool, { what: 'a bridge' }, { capabilities });

    expect(status).toBe(400);
    expect(body).toMatchObject({ id: 1, error: { code: -32021 } });
    expect(body.error?.data).toEqual({ requiredCapabilities: required });
    expect(body.error?.message).toContain(tool);
    expect(ports.calls).toEqual([]);
  });

  test.each([
    ['form mode', 'deploy', { ...EXTENSIONS, ...FORM }],
    ['no mode, which means form mode', 'deploy', { ...EXTENSIONS, elicitation: {} }],
    ['both modes', 'pay', { ...EXTENSIONS, elicitation: { form: {}, url: {} } }],
    ['sampling', 'summarize', { ...EXTENSIONS, sampling: {} }],
    ['nothing asked, nothing more needed', 'build', EXTENSIONS],
  ])('with %s: %s becomes a task', async (_, tool, capabilities) => {
    const { body } = await serve().call(tool, { what: 'a bridge' }, { capabilities });

    expect(body.result.resultType).toBe('task');
  });

  test('the 2025 `task` parameter is no opt-in', async () => {
    const { ports, request } = serve();
    const { status, body } = await request(
      'tools/call',
      { name: 'build', arguments: { what: 'a bridge' }, task: { ttl: 60_000 } },
      { capabilities: {} },
    );

    expect(status).toBe(400);
    expect(body.error?.code).toBe(-32021);
    expect(ports.calls).toEqual([]);
  });

  test('the 2025 `task` parameter is no reason to refuse, and has no say', async () => {
    const { request } = serve();
    const { body } = await request('tools/call', {
      name: 'build',
      arguments: { what: 'a bridge' },
      task: { ttl: 60_000 },
    });

    expect(body.result).toMatchObject({ resultType: 'task', ttlMs: 3_600_000 });
  });

  test('what an earlier request declared is forgotten', async () => {
    const { call } = serve();
    await call('build', { what: 'a bridge' });
    const { body } = await call('build', { what: 'a bridge' }, { capabilities: {} });

    expect(body.error?.code).toBe(-32021);
  });

  test('a synchronous tool needs no capability', async () => {
    const { body } = await serve().call('add', { a: 1, b: 2 }, { capabilities: {} });

    expect(body.result).toMatchObject({ resultType: 'complete', structuredContent: { sum: 3 } });
  });
});

describe.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('%s without the extension', (method) => {
  test.each([
    ['no capabilities', {}],
    ['elicitation only', FORM],
    ['another extension', { extensions: { 'example.com/tasks': {} } }],
  ])('%s: refused by name, and nothing changes', async (_, capabilities) => {
    const { ports, request, startTask } = serve();
    const { taskId, ref, workflow } = await startTask('deploy', {});
    workflow.ask('confirm-1', QUESTION);
    const before = ports.record(ref);

    const params = { taskId, inputResponses: { 'confirm-1': { action: 'accept' } } };
    const { status, body } = await request(method, params, { capabilities });

    expect(status).toBe(400);
    expect(body.error?.code).toBe(-32021);
    expect(body.error?.data).toEqual({ requiredCapabilities: EXTENSIONS });
    expect(ports.calls).toEqual([]);
    expect(ports.answers.size).toBe(0);
    expect(ports.record(ref)).toEqual(before);
  });

  test('comes before the question whether the task exists', async () => {
    const { body } = await serve().request(method, { taskId: 'tsk_none' }, { capabilities: {} });

    expect(body.error?.code).toBe(-32021);
  });

  test.each([true, null, 'yes', [[]]])(
    'an extension declared as %j is no declaration: refused as ill-formed, and nothing changes',
    async (value) => {
      const { ports, request, startTask } = serve();
      const { taskId } = await startTask();
      const { status, body } = await request(
        method,
        { taskId, inputResponses: {} },
        { capabilities: { extensions: { 'io.modelcontextprotocol/tasks': value } } },
      );

      expect(status).toBe(400);
      expect(body.error?.code).toBe(-32602);
      expect(body.error?.message).toContain('io.modelcontextprotocol/tasks');
      expect(ports.calls).toEqual([]);
    },
  );
});

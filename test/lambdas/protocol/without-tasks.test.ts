import { describe, expect, test } from '@jest/globals';
import { serve, type RequestOptions } from '../../support/mcp.ts';
import { QUESTION, tools } from '../../support/tools.ts';

const NONE: RequestOptions = { capabilities: {} };
const DONE = {
  content: [{ type: 'text', text: 'Built.' }],
  structuredContent: { size: 3 },
  resultType: 'complete',
};

const handing = () => {
  const served = serve({
    tools: {
      deploy: { ...tools.deploy, withoutTasks: undefined },
      build: { ...tools.build, withoutTasks: 'handle' },
      summarize: { ...tools.summarize, withoutTasks: 'handle' },
      add: tools.add,
    },
  });
  /** A task as a model comes to hold it. */
  const started = async (name = 'deploy', args: unknown = {}) => {
    const { body } = await served.call(name, args, NONE);
    const { taskId } = body.result.structuredContent as { taskId: string };
    return {
      taskId,
      workflow: served.ports.workflow({ tenant: 'alice', taskId }),
      ref: { tenant: 'alice', taskId },
    };
  };
  const companion = async (name: string, args: Record<string, unknown>) => {
    const { body } = await served.call(name, args, NONE);
    return {
      ...body.result,
      text: body.result?.content.map(({ text = '' }: { text?: string }) => text).join('\n'),
    };
  };
  return { ...served, started, companion };
};

describe('the list', () => {
  const names = async (served: ReturnType<typeof serve>, options?: RequestOptions): Promise<string[]> => {
    const { body } = await served.request('tools/list', {}, options);
    return body.result.tools.map(({ name }: { name: string }) => name);
  };

  test('ends with the companions, in one order, whoever asks', async () => {
    const expected = ['deploy', 'build', 'summarize', 'add', 'task_status', 'task_answer', 'task_cancel'];
    expect(await names(handing())).toEqual(expected);
    expect(await names(handing(), NONE)).toEqual(expected);
  });

  test('has none of them where no tool gives handles', async () => {
    expect(await names(serve())).not.toContain('task_status');
  });

  test('says of a tool with structured results that a handle may come instead', async () => {
    const { request } = serve({
      tools: { build: { ...tools.build, outputSchema: tools.add.outputSchema, withoutTasks: 'handle' } },
    });
    const { body } = await request('tools/list');
    expect(body.result.tools[0].outputSchema).toMatchObject({
      type: 'object',
      anyOf: [{ required: ['sum'] }, { required: ['taskId', 'status', 'pollIntervalMs'] }],
    });
  });

  test('leaves no name to a tool of the server’s own', () => {
    expect(() =>
      serve({ tools: { build: { ...tools.build, withoutTasks: 'handle' }, task_status: tools.add } }),
    ).toThrow(/task_status is taken/);
  });
});

describe('a call without the extension', () => {
  test('is answered with what a model needs to go on', async () => {
    const { call, ports } = handing();
    const { status, body } = await call('build', { what: 'a bridge' }, NONE);
    const { taskId } = body.result.structuredContent;

    expect(status).toBe(200);
    expect(body.result.resultType).toBe('complete');
    expect(body.result.structuredContent).toEqual({ taskId, status: 'working', pollIntervalMs: 500 });
    expect(body.result.content[0].text).toMatch(new RegExp(`task_status with .*"${taskId}"`));
    expect(ports.calls).toEqual(['store.create', 'workflows.start']);
  });

  test('with the extension it is a task, as ever', async () => {
    const { body } = await handing().call('build', { what: 'a bridge' });
    expect(body.result).toMatchObject({ resultType: 'task', status: 'working' });
    expect(body.result).not.toHaveProperty('structuredContent');
  });
});

describe('task_status', () => {
  test('tells what the task says of itself', async () => {
    const { started, companion } = handing();
    const { taskId, workflow } = await started();
    workflow.report('Half of it');
    const { text, structuredContent } = await companion('task_status', { taskId });
    expect(text).toBe(`The task ${taskId} (deploy) is working. It says: Half of it`);
    expect(structuredContent).toMatchObject({ taskId, status: 'working', statusMessage: 'Half of it' });
  });

  test('shows a question, and how to answer it', async () => {
    const { started, companion } = handing();
    const { taskId, workflow } = await started();
    workflow.ask('sure-1', QUESTION);
    const { text, structuredContent } = await companion('task_status', { taskId });
    expect(structuredContent).toMatchObject({
      status: 'input_required',
      questions: [
        { key: 'sure-1', kind: 'form', message: 'Really? 🤔', schema: QUESTION.params.requestedSchema },
      ],
    });
    expect(text).toMatch(/Put it to the person .*task_answer/);
    expect(text).not.toContain('token of');
  });

  test('waits, but no longer than until something happens', async () => {
    const { started, companion } = handing();
    const { taskId, workflow } = await started();
    const answer = companion('task_status', { taskId, waitSeconds: 20 });
    workflow.complete(DONE);
    expect((await answer).structuredContent).toMatchObject({ status: 'completed', result: { size: 3 } });
  });

  test('waits for 20 seconds at most', async () => {
    const { started, companion } = handing();
    const { taskId } = await started();
    expect(await companion('task_status', { taskId, waitSeconds: 21 })).toMatchObject({ isError: true });
  });

  test('gives the result of a task that is completed, with its error flag', async () => {
    const { started, companion } = handing();
    const { taskId, workflow } = await started();
    workflow.complete({ ...DONE, isError: true });
    expect(await companion('task_status', { taskId })).toMatchObject({
      isError: true,
      content: [{ text: `The task ${taskId} (deploy) is completed. Its result:` }, { text: 'Built.' }],
    });
  });

  test('tells in words how a task failed', async () => {
    const { started, companion } = handing();
    const { taskId, workflow } = await started();
    workflow.fail({ code: -32603, message: 'The backend is down.' });
    expect(await companion('task_status', { taskId })).toMatchObject({
      isError: true,
      text: `The task ${taskId} (deploy) failed: The backend is down.`,
    });
  });
});

describe('task_answer', () => {
  test('passes the answer on', async () => {
    const { started, companion, ports } = handing();
    const { taskId, workflow } = await started();
    workflow.ask('sure-1', QUESTION);
    const answer = { taskId, key: 'sure-1', action: 'accept', content: { sure: true } };
    const { structuredContent } = await companion('task_answer', answer);
    expect(structuredContent).toMatchObject({ status: 'working' });
    expect(ports.answers.get('token of sure-1')).toEqual({
      key: 'sure-1',
      response: { action: 'accept', content: { sure: true } },
    });
  });

  test.each([{ sure: 'yes' }, {}, undefined])(
    'does not pass on %j, which the schema does not allow',
    async (content) => {
      const { started, companion, ports } = handing();
      const { taskId, workflow } = await started();
      workflow.ask('sure-1', QUESTION);
      const { isError, text } = await companion('task_answer', {
        taskId,
        key: 'sure-1',
        action: 'accept',
        content,
      });
      expect(isError).toBe(true);
      expect(text).toMatch(/Nothing was answered/);
      expect(ports.answers.size).toBe(0);
    },
  );

  test.each(['decline', 'cancel'])('%s needs no content', async (action) => {
    const { started, companion, ports } = handing();
    const { taskId, workflow } = await started();
    workflow.ask('sure-1', QUESTION);
    await companion('task_answer', { taskId, key: 'sure-1', action });
    expect(ports.answers.get('token of sure-1')).toEqual({ key: 'sure-1', response: { action } });
  });

  test('answers the model’s own questions with a text', async () => {
    const { started, companion, ports } = handing();
    const { taskId, workflow } = await started('summarize');
    workflow.ask('sum-1', { method: 'sampling/createMessage', params: { messages: [], maxTokens: 10 } });
    await companion('task_answer', { taskId, key: 'sum-1', action: 'accept', content: { text: 'Short.' } });
    expect(ports.answers.get('token of sum-1')).toMatchObject({
      response: { role: 'assistant', content: { type: 'text', text: 'Short.' } },
    });
  });

  test('says when nobody waits for the answer', async () => {
    const { started, companion, ports } = handing();
    const { taskId, workflow } = await started();
    const answer = { taskId, key: 'sure-1', action: 'decline' };
    expect((await companion('task_answer', answer)).text).toMatch(/does not wait for an answer to sure-1/);
    workflow.complete(DONE);
    expect((await companion('task_answer', answer)).text).toMatch(/has ended: completed/);
    expect(ports.answers.size).toBe(0);
  });
});

describe('task_cancel', () => {
  test('stops the work, and claims no more than that this was asked for', async () => {
    const { started, companion, ports } = handing();
    const { taskId } = await started();
    const { text } = await companion('task_cancel', { taskId });
    expect(text).toMatch(/^Requested that the task .* be cancelled\. It may still end otherwise/);
    expect(text).not.toMatch(/was cancelled|is cancelled|has been cancelled/);
    expect(ports.stopped).toHaveLength(1);
  });

  test('leaves a task that has ended as it is', async () => {
    const { started, companion, ports } = handing();
    const { taskId, workflow } = await started();
    workflow.complete(DONE);
    const { text, structuredContent } = await companion('task_cancel', { taskId });
    expect(text).toMatch(/had ended before: completed. The request has no effect/);
    expect(structuredContent).toMatchObject({ status: 'completed' });
    expect(ports.stopped).toEqual([]);
  });
});

describe.each(['task_status', 'task_answer', 'task_cancel'])('%s', (name) => {
  const rest = name === 'task_answer' ? { key: 'sure-1', action: 'accept', content: { sure: true } } : {};

  test('knows no tasks but the caller’s own, in the same words as an unknown id', async () => {
    const { started, companion, caller, ports } = handing();
    const { taskId, workflow, ref } = await started();
    workflow.ask('sure-1', QUESTION);
    const before = ports.record(ref);
    caller.tenant = 'bob';
    const foreign = await companion(name, { taskId, ...rest });
    const unknown = await companion(name, { taskId: 'tsk_AAAAAAAAAAAAAAAAAAAAAA', ...rest });

    expect(foreign).toMatchObject({
      isError: true,
      text: 'Unknown task: no such task id, or the task has expired.',
    });
    expect(unknown).toEqual(foreign);
    expect(ports.record(ref)).toEqual(before);
    expect(ports.answers.size).toBe(0);
  });

  test('is not there where no tool gives handles', async () => {
    const { body } = await serve().call(name, { taskId: 'tsk_none', ...rest }, NONE);
    expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining('Unknown tool') });
  });
});

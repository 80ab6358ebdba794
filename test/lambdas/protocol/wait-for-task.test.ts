import { describe, expect, test } from '@jest/globals';
import type { TaskRecord } from '../../../lambdas/protocol/task.ts';
import { serve, type RequestOptions } from '../../support/mcp.ts';
import { tools, QUESTION } from '../../support/tools.ts';

const NONE: RequestOptions = { capabilities: {} };
const FORM: RequestOptions = { capabilities: { elicitation: { form: {} } } };
const DONE = { content: [{ type: 'text', text: 'Done.' }], resultType: 'complete' };
const KEY = 'a-secret-of-32-bytes-for-the-tests';

/** Tools that wait: one gives a handle after the time, one is stopped, one asks on the way. */
const waiting = (ms = 5_000) => {
  const served = serve({
    wait: { ms, streams: true },
    requestStateKey: async () => KEY,
    tools: {
      build: { ...tools.build, withoutTasks: 'wait' },
      stop: { ...tools.build, withoutTasks: 'wait', notDoneInTime: 'stop' },
      deploy: { ...tools.deploy, withoutTasks: 'wait', requestState: true },
      ask_or_stop: { ...tools.deploy, withoutTasks: 'wait', notDoneInTime: 'stop', requestState: true },
    },
  });
  const started = (): TaskRecord => [...served.ports.records.values()].at(-1)!;
  /** What the task's workflow does while the call waits: it comes with the start. */
  const meanwhile = (act: (workflow: ReturnType<typeof served.ports.workflow>) => void): void =>
    served.ports.during('workflows.start', () => setTimeout(() => act(served.ports.workflow(started())), 20));
  return { ...served, started, meanwhile };
};

describe('waiting for a task on behalf of a client without tasks', () => {
  test('gives the result as the task holds it', async () => {
    const { call, meanwhile } = waiting();
    meanwhile((workflow) => workflow.complete(DONE));
    const { body } = await call('build', { what: 'a bridge' }, NONE);
    expect(body.result).toMatchObject(DONE);
  });

  test('gives it to a client of the 2025 revisions without words they do not know', async () => {
    const { legacyRequest, meanwhile } = waiting();
    meanwhile((workflow) => workflow.complete(DONE));
    const { body } = await legacyRequest('tools/call', { name: 'build', arguments: { what: 'a bridge' } });
    expect(body.result).toEqual({ content: DONE.content });
  });

  test('answers with the error of a task that failed', async () => {
    const { call, meanwhile } = waiting();
    meanwhile((workflow) => workflow.fail({ code: -32000, message: 'The backend is down.' }));
    const { body } = await call('build', { what: 'a bridge' }, NONE);
    expect(body.error).toMatchObject({ code: -32000, message: 'The backend is down.' });
  });

  test('tells progress to a client that gave a token for it', async () => {
    const { request, meanwhile, ports, started } = waiting();
    meanwhile((workflow) => {
      workflow.report('Half of it');
      ports.during('store.get', () => setTimeout(() => ports.workflow(started()).complete(DONE), 0));
    });
    const { messages, body } = await request(
      'tools/call',
      { name: 'build', arguments: { what: 'a bridge' } },
      { ...NONE, meta: { progressToken: 'p1' } },
    );
    expect(messages[0]).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 'p1', message: 'Half of it', progress: expect.any(Number) },
    });
    expect(body.result).toMatchObject(DONE);
  });

  test('what is not done in time goes on, and the client gets its handle', async () => {
    const { call, started, ports } = waiting(50);
    const { body } = await call('build', { what: 'a bridge' }, NONE);
    expect(body.result.structuredContent).toMatchObject({ taskId: started().taskId, status: 'working' });
    expect(ports.stopped).toEqual([]);
  });

  test('or is stopped, as the manifest says, and the result says so', async () => {
    const { call, ports, started } = waiting(50);
    const { body } = await call('stop', { what: 'a bridge' }, NONE);
    expect(body.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('stop was not done within 0.05 seconds') }],
    });
    expect(ports.stopped).toHaveLength(1);
    expect(started().status).toBe('cancelled');
  });

  test('a result that comes while the work is being stopped counts', async () => {
    const { call, ports, started } = waiting(0);
    ports.during('workflows.stop', () => ports.workflow(started()).complete(DONE));
    const { body } = await call('stop', { what: 'a bridge' }, NONE);
    expect(body.result).toMatchObject(DONE);
  });
});

describe('a task that asks while a call waits for it', () => {
  const asks = (workflow: { ask(key: string, request: unknown): unknown }) =>
    workflow.ask('sure-1', QUESTION);

  test('has its question answered in a round of the call', async () => {
    const { call, request, meanwhile, started, ports } = waiting();
    meanwhile(asks);
    const { body: asked } = await call('deploy', {}, FORM);
    expect(asked.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'sure-1': QUESTION },
    });

    ports.during('workflows.answer', () => setTimeout(() => ports.workflow(started()).complete(DONE), 20));
    const answer = { action: 'accept', content: { sure: true } };
    const { body } = await request(
      'tools/call',
      {
        name: 'deploy',
        arguments: {},
        inputResponses: { 'sure-1': answer },
        requestState: asked.result.requestState,
      },
      FORM,
    );
    expect(body.result).toMatchObject(DONE);
    expect(ports.answers.get('token of sure-1')).toEqual({ key: 'sure-1', response: answer });
    expect(ports.started).toHaveLength(1);
  });

  test('is served as a handle to a client that cannot be asked', async () => {
    const { call, started } = waiting();
    const { body } = await call('deploy', {}, NONE);
    expect(body.result.structuredContent).toMatchObject({ taskId: started().taskId });
  });

  test('or refused by what is missing, if its manifest wants it stopped rather than handed out', async () => {
    const { call, ports } = waiting();
    const { status, body } = await call('ask_or_stop', {}, NONE);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
    expect(ports.calls).toEqual([]);
  });
});

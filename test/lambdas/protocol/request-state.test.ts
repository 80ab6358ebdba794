import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { inputRequired, type CallToolResult, type ServerContext } from '@modelcontextprotocol/server';
import { keepRequestState } from '../../../lambdas/protocol/request-state.ts';

const KEY = 'k'.repeat(64);
const CALL = ['tenant', 'client', 'tools/call', 'book', { room: 7 }];

const key = async () => KEY;
const context = (state?: string) => ({ mcpReq: { requestState: () => state } }) as unknown as ServerContext;
const ask = (requestState: string) =>
  inputRequired({ inputRequests: { roots: inputRequired.listRoots() }, requestState });

/** What a client gets when the tool returns this state. */
const sealed = async (state: string, boundTo: readonly unknown[] = CALL): Promise<string> => {
  const answer = await keepRequestState(context(), { key, boundTo }, async () => ask(state));
  return answer.requestState as string;
};

/** What the tool reads when the client presents this. */
const opened = async (presented: string, { boundTo = CALL as readonly unknown[], secret = KEY } = {}) => {
  let read: unknown;
  await keepRequestState(context(presented), { key: async () => secret, boundTo }, async ({ mcpReq }) => {
    read = mcpReq.requestState();
    return { content: [] } as CallToolResult;
  });
  return read;
};

const REFUSED = { code: -32602, message: 'Invalid or expired requestState' };

describe('state between the rounds of a call (basic/patterns/mrtr)', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('comes back as it was given', async () => {
    expect(await opened(await sealed('asked for the room'))).toBe('asked for the room');
  });

  test('is empty text when it was empty text', async () => {
    expect(await opened(await sealed(''))).toBe('');
  });

  test.each([
    ['another tenant', ['other', 'client', 'tools/call', 'book', { room: 7 }]],
    ['another client', ['tenant', 'other', 'tools/call', 'book', { room: 7 }]],
    ['another tool', ['tenant', 'client', 'tools/call', 'cancel', { room: 7 }]],
    ['other arguments', ['tenant', 'client', 'tools/call', 'book', { room: 8 }]],
  ])('is refused from %s', async (_, boundTo) => {
    await expect(opened(await sealed('asked'), { boundTo })).rejects.toMatchObject(REFUSED);
  });

  test.each([
    ['with something added', (state: string) => `${state}x`],
    ['with its body changed', (state: string) => state.replace(/^v1\.(..)/, 'v1.AA')],
    ['that is no state at all', () => 'round=2'],
    ['that is empty', () => ''],
  ])('is refused %s', async (_, change) => {
    await expect(opened(change(await sealed('asked')))).rejects.toMatchObject(REFUSED);
  });

  test('is refused when it was sealed with another key', async () => {
    await expect(opened(await sealed('asked'), { secret: 'x'.repeat(64) })).rejects.toMatchObject(REFUSED);
  });

  test('is refused after ten minutes', async () => {
    const state = await sealed('asked');
    jest.useFakeTimers({ now: Date.now() + 599_000, doNotFake: ['queueMicrotask', 'nextTick'] });
    expect(await opened(state)).toBe('asked');
    jest.setSystemTime(Date.now() + 3_000);
    await expect(opened(state)).rejects.toMatchObject(REFUSED);
  });

  test('is refused for a tool that keeps none, and its code does not run', async () => {
    const run = jest.fn(async () => ({ content: [] }) as CallToolResult);
    const call = keepRequestState(context(await sealed('asked')), { boundTo: CALL }, run);
    await expect(call).rejects.toMatchObject(REFUSED);
    expect(run).not.toHaveBeenCalled();
  });

  test('a tool that returns state without a key for it is an error of the server', async () => {
    const call = keepRequestState(context(), { boundTo: CALL }, async () => ask('asked'));
    await expect(call).rejects.toThrow('says so in its manifest');
  });

  test('the key is not asked for without need', async () => {
    const unused = jest.fn(key);
    await keepRequestState(
      context(),
      { key: unused, boundTo: CALL },
      async () => ({ content: [] }) as CallToolResult,
    );
    expect(unused).not.toHaveBeenCalled();
  });

  test('a key that cannot be read is not the caller’s fault', async () => {
    const broken = async (): Promise<string> => {
      throw new Error('AccessDenied');
    };
    const call = keepRequestState(context('v1.a.b'), { key: broken, boundTo: CALL }, async () => ask(''));
    await expect(call).rejects.toThrow('AccessDenied');
  });
});

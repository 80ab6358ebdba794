import { beforeAll, describe, expect, test } from '@jest/globals';
import { accept, asks, isOver, openKeys, RpcError, taskClient, until, type TaskClient } from './client.ts';
import { abreast } from '../support/abreast.ts';
import type { TestEngine } from '../support/engine.ts';
import { useFaultsEngine } from './engine.ts';
import { deliveredTo, strays } from './invariants.ts';
import { faults, proxy, recorder } from './proxy.ts';

/** Several, since one life at a time mostly waits: for a retry, or for a client to look again. */
const engines = Array.from({ length: 5 }, useFaultsEngine);
const engine = engines[0]!;
let client: TaskClient;
beforeAll(() => {
  client = taskClient(engine.mcpUrl);
});

/** A client that keeps asking, as long as it is told that this is worth while. It never sees anything else. */
type Persist = <T>(request: () => Promise<T>) => Promise<T>;

interface Life {
  /** Lives a task's life. */
  live(client: TaskClient, persist: Persist): Promise<string>;
  /** The calls to strike: those of its kind of life, and not again what all lives begin with. */
  strike: RegExp;
  ends: object;
  answers: unknown[];
}

const begin = async (client: TaskClient, persist: Persist, tool: string, args = {}) => {
  const { taskId } = await persist(() => client.call(tool, args));
  const [key] = openKeys(await persist(() => client.until(taskId, asks)));
  return { taskId, key: key! };
};

let notes = 0;

const lives: Record<string, Life> = {
  'a task that asks and completes': {
    async live(client, persist) {
      const { taskId, key } = await begin(client, persist, 'drive');
      await persist(() => client.update(taskId, { [key]: accept('complete') }));
      return taskId;
    },
    strike: /./,
    ends: { status: 'completed', result: { content: [{ text: 'done' }] } },
    answers: [accept('complete')],
  },
  'a task that is cancelled': {
    async live(client, persist) {
      const { taskId } = await begin(client, persist, 'drive');
      await persist(() => client.cancel(taskId));
      return taskId;
    },
    strike: /StopExecution|Endpoint UpdateItem|Reconciler/,
    ends: { status: 'cancelled' },
    answers: [],
  },
  'a task that is cancelled cooperatively': {
    async live(client, persist) {
      const { taskId } = await begin(client, persist, 'cooperative');
      await persist(() => client.cancel(taskId));
      return taskId;
    },
    strike: /SendTaskFailure|Endpoint UpdateItem|workflow UpdateItem [2-9]/,
    ends: { status: 'cancelled' },
    answers: [],
  },
  'a task with a business key': {
    async live(client, persist) {
      const note = `note ${notes++}`;
      const { taskId, key } = await begin(client, persist, 'keyed', { note });
      expect(await persist(() => client.call('keyed', { note }))).toMatchObject({ taskId });
      await persist(() => client.update(taskId, { [key]: accept('complete') }));
      return taskId;
    },
    strike: /PutItem|StartExecution/,
    ends: { status: 'completed' },
    answers: [accept('complete')],
  },
  'a task whose workflow breaks': {
    async live(client, persist) {
      const { taskId, key } = await begin(client, persist, 'drive');
      await persist(() => client.update(taskId, { [key]: accept('broken') }));
      return taskId;
    },
    strike: /Reconciler/,
    ends: { status: 'failed', error: { code: -32603 } },
    answers: [accept('broken')],
  },
};

/** The first look at a record fails as the hundredth does. */
const isWorthStriking = (label: string): boolean =>
  !/ (GetItem|DescribeExecution) ([2-9]|\d\d+)$/.test(label);

describe.each(Object.entries(lives))('%s', (_, { live, strike, ends, answers }) => {
  test('comes to its right end, whichever call fails and however', async () => {
    const labels: string[] = [];
    const stop = engine.interceptAwsCalls(recorder(labels));
    const taskId = await live(client, (request) => request());
    await client.until(taskId, isOver);
    await until(async () => labels.some((label) => label.startsWith('Reconciler')));
    stop();

    const strikes = labels
      .filter((label) => strike.test(label) && isWorthStriking(label))
      .flatMap((label) => Object.entries(faults).map(([name, fault]) => ({ label, name, fault })));
    const liveStruck = async (
      engine: TestEngine,
      { label, name, fault }: (typeof strikes)[number],
    ): Promise<void> => {
      const client = taskClient(engine.mcpUrl);
      const { hook, heal, hits } = proxy(label, fault);
      const release = engine.interceptAwsCalls(hook);
      // What lasts is over when the client has been told, or the workflow has tried a while.
      const timer = setTimeout(heal, 1_500);
      const persist: Persist = async (request) => {
        for (;;) {
          try {
            return await request();
          } catch (error) {
            expect(error).toBeInstanceOf(RpcError);
            expect(error).toMatchObject({ code: -32603, status: 200, data: { retryAfterMs: 2_000 } });
            heal();
          }
        }
      };
      try {
        const struck = await live(client, persist);
        const over = await persist(() => client.until(struck, isOver));
        expect(over).toMatchObject(ends);
        expect(await deliveredTo(engine, struck)).toEqual(answers);
        await until(async () => (await strays(engine)).length === 0);
        expect(await client.get(struck)).toEqual({ ...over, pollIntervalMs: expect.any(Number) });
      } catch (error) {
        throw new Error(`${label} ${name} (struck ${hits()} times)`, { cause: error });
      } finally {
        clearTimeout(timer);
        release();
      }
    };
    await abreast(engines, strikes, liveStruck);
    expect(strikes.length).toBeGreaterThan(0);
  }, 180_000);
});

test('a dependency that does not answer at all is given up in time', async () => {
  const hanging: (() => void)[] = [];
  const release = engine.interceptAwsCalls(async ({ caller }, proceed) => {
    if (caller.startsWith('Endpoint')) await new Promise<void>((done) => hanging.push(done));
    return proceed();
  });
  const started = Date.now();
  await expect(client.call('drive')).rejects.toMatchObject({ code: -32603, data: { retryAfterMs: 2_000 } });
  expect(Date.now() - started).toBeLessThan(10_000);
  release();
  for (const done of hanging) done();
  await until(async () => (await strays(engine)).length === 0);
});

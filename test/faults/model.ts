import { StopExecutionCommand } from '@aws-sdk/client-sfn';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from '@jest/globals';
import type { DetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import fc from 'fast-check';
import { awsError, DROP, type AwsCallHook } from '../../local/aws/calls.ts';
import type { TestEngine } from '../support/engine.ts';
import { accept, asks, isOver, openKeys, RpcError, type Answer, type TaskClient } from './client.ts';
import { recordOf } from './engine.ts';

/** What a client may believe of a task: it asks, it is over and stays as it is, or nobody knows it any more. */
export interface ModelTask {
  taskId: string;
  tool: string;
  note: string;
  state: 'asks' | 'over' | 'gone';
  /** The open question. */
  key?: string;
  /** Every key it ever asked under. */
  keys: string[];
  /** The answers that won, in their order. */
  answers: Answer[];
  /** How it ended. */
  end?: DetailedTaskV2;
}

export interface Model {
  tasks: ModelTask[];
}

export interface Real {
  engine: TestEngine;
  client: TaskClient;
  /** What the engine has accepted for a waiting state, by the question's key. */
  accepted: Map<string, unknown[]>;
  /** Events that have not been delivered yet. */
  held: (() => Promise<void>)[];
  /** Whether events are held back. */
  holding: boolean;
  /** Tells notes of one run from those of another. */
  run: number;
  /** Commands that were run, for the report. */
  steps: number;
}

type Command = fc.AsyncCommand<Model, Real>;

const YES = ['progress', 'complete', 'tool_error', 'fail', 'broken'].map(accept);
const answer = fc.oneof(
  // Progress more often than an end, so that tasks live long enough for something to happen to them.
  fc.constant(accept('progress')),
  fc.constantFrom(...YES, { action: 'decline' as const }, { action: 'cancel' as const }),
);
const pick = fc.nat({ max: 1_000 });

/** The end that an answer leads to; undefined if the task goes on and asks again. */
const endAfter = ({ action, content }: Answer): object | undefined => {
  if (action !== 'accept') return { status: 'completed', result: { content: [{ text: 'declined' }] } };
  switch (content?.['next']) {
    case 'progress':
      return undefined;
    case 'complete':
      return { status: 'completed', result: { content: [{ text: 'done' }] } };
    case 'tool_error':
      return { status: 'completed', result: { isError: true, content: [{ text: 'a tool error' }] } };
    default:
      return { status: 'failed', error: { code: -32603 } };
  }
};

const CANCELLED = { status: 'cancelled' };
const OUT_OF_TIME = { status: 'failed', statusMessage: 'The task ran out of its time and was stopped.' };

/** Waits for a task to ask again or to end, and holds that against the ends it may come to. */
const settle = async (
  task: ModelTask,
  { client, accepted }: Real,
  allowed: (object | undefined)[],
): Promise<void> => {
  const previous = task.key;
  const seen = await client.until(
    task.taskId,
    (now) =>
      isOver(now) ||
      (asks(now) && openKeys(now)[0] !== previous) ||
      (asks(now) && allowed.includes(undefined)),
    20_000,
  );
  expect(acceptedBy(task, accepted)).toEqual(task.answers);
  if (asks(seen)) {
    expect(allowed).toContain(undefined);
    const [key, ...more] = openKeys(seen);
    expect(more).toEqual([]);
    if (key !== previous) {
      // A key is never used twice in a task's life.
      expect(task.keys).not.toContain(key);
      task.keys.push(key!);
    }
    task.key = key;
    return;
  }
  const ends = allowed.filter((end) => end !== undefined);
  expect(ends.some((end) => matches(seen, end))).toBe(true);
  task.state = 'over';
  task.end = seen;
};

const matches = (seen: unknown, wanted: unknown): boolean => {
  try {
    expect(seen).toMatchObject(wanted as object);
    return true;
  } catch {
    return false;
  }
};

/** The answers that reached a task's workflow, in the order of its questions. */
const acceptedBy = ({ keys }: ModelTask, accepted: Real['accepted']): unknown[] =>
  keys.flatMap((key) => accepted.get(key) ?? []);

/** Notes every answer that Step Functions takes, whatever becomes of its reply. */
export const noteAnswers =
  (accepted: Real['accepted']): AwsCallHook =>
  async ({ operation, body }, proceed) => {
    const reply = await proceed();
    if (operation === 'SendTaskSuccess' && reply.status === 200) {
      const { key, response } = JSON.parse(JSON.parse(body.toString()).output);
      accepted.set(key, [...(accepted.get(key) ?? []), response]);
    }
    return reply;
  };

/** What the first answer was, of those that were sent at once. */
const noteWinner = (task: ModelTask, { accepted }: Real, sent: Answer[]): Answer | undefined => {
  const won = acceptedBy(task, accepted).slice(task.answers.length);
  if (won.length === 0) return undefined;
  expect(won).toHaveLength(1);
  expect(sent).toContainEqual(won[0]);
  task.answers.push(won[0] as Answer);
  return won[0] as Answer;
};

/** Terminal states are final; what is gone is gone for every method. Looked at after every command. */
const checkUntouched = async (model: Model, { client }: Real, at: number): Promise<void> => {
  const others = model.tasks.filter(({ state }) => state !== 'asks');
  const task = others[at % Math.max(others.length, 1)];
  if (task === undefined) return;
  if (task.state === 'gone') {
    await expect(client.get(task.taskId)).rejects.toMatchObject({ code: -32602 });
    return;
  }
  expect(await client.get(task.taskId)).toEqual({ ...task.end, pollIntervalMs: expect.any(Number) });
};

const command = (
  name: string,
  at: number,
  wants: (model: Model) => ModelTask[],
  run: (task: ModelTask, model: Model, real: Real) => Promise<void>,
): Command => ({
  check: (model) => wants(model).length > 0,
  async run(model, real) {
    const candidates = wants(model);
    real.steps++;
    await run(candidates[at % candidates.length]!, model, real);
    await checkUntouched(model, real, at);
  },
  toString: () => name,
});

const asking = ({ tasks }: Model): ModelTask[] => tasks.filter(({ state }) => state === 'asks');
const any = ({ tasks }: Model): ModelTask[] => tasks;
const over = ({ tasks }: Model): ModelTask[] => tasks.filter(({ state }) => state === 'over');

/** Repeats a request as long as the answer says that this is worth while; nothing else may be said. */
const persist = async <T>(request: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof RpcError) || error.data?.retryAfterMs === undefined) throw error;
    }
  }
};

/** The endpoint dies at its n-th call to AWS from now: before the call, or when it has reached AWS. */
const crash = async (
  { engine }: Real,
  n: number,
  behind: boolean,
  request: () => Promise<unknown>,
): Promise<void> => {
  let calls = 0;
  const release = engine.interceptAwsCalls(async ({ caller }, proceed) => {
    if (!caller.startsWith('Endpoint')) return proceed();
    calls++;
    if (calls < n) return proceed();
    if (calls === n && behind) {
      await proceed();
      return DROP;
    }
    return awsError('AccessDeniedException', 'The endpoint has crashed');
  });
  await request().catch((error: unknown) => {
    if (!(error instanceof RpcError)) throw error;
  });
  release();
};

const create = async (tool: string, note: string, model: Model, real: Real): Promise<void> => {
  const { taskId } = await persist(() => real.client.call(tool, { note }));
  const same = model.tasks.find((task) => tool === 'keyed' && task.tool === tool && task.note === note);
  if (same !== undefined) {
    expect(taskId).toBe(same.taskId);
    return;
  }
  expect(model.tasks.map((task) => task.taskId)).not.toContain(taskId);
  const task: ModelTask = { taskId, tool, note, state: 'asks', keys: [], answers: [] };
  model.tasks.push(task);
  await settle(task, real, [undefined]);
};

const toolAndNote = fc.record({
  tool: fc.constantFrom('drive', 'cooperative', 'keyed'),
  note: fc.constantFrom('a', 'b', 'c'),
});

const noteOf = (note: string, { run }: Real): string => `${note}${run}`;

/** Everything that can happen to a few tasks, in any order, until the time is up. */
export const commands = (deadline: number): fc.Arbitrary<Command>[] =>
  everything.map((arbitrary) =>
    arbitrary.map((one) => ({
      check: (model: Readonly<Model>) => Date.now() < deadline && one.check(model),
      run: (model: Model, real: Real) => one.run(model, real),
      toString: () => one.toString(),
    })),
  );

const everything: fc.Arbitrary<Command>[] = [
  toolAndNote.map(({ tool, note }) => ({
    check: () => true,
    async run(model, real) {
      real.steps++;
      await create(tool, noteOf(note, real), model, real);
    },
    toString: () => `create(${tool}, ${note})`,
  })),

  fc.tuple(toolAndNote, fc.integer({ min: 1, max: 4 }), fc.boolean()).map(([{ tool, note }, n, behind]) => ({
    check: () => true,
    async run(model, real) {
      real.steps++;
      await crash(real, n, behind, () => real.client.call(tool, { note: noteOf(note, real) }));
      await create(tool, noteOf(note, real), model, real);
    },
    toString: () =>
      `crash at call ${n} of create(${tool}, ${note}), ${behind ? 'behind' : 'before'} it; again`,
  })),

  fc.tuple(pick, answer).map(([at, given]) =>
    command(`answer(${at}, ${JSON.stringify(given)})`, at, asking, async (task, _, real) => {
      await real.client.update(task.taskId, { [task.key!]: given });
      task.answers.push(given);
      await settle(task, real, [endAfter(given)]);
    }),
  ),

  fc.tuple(pick, fc.array(answer, { minLength: 2, maxLength: 3 })).map(([at, given]) =>
    command(`answers at once(${at}, ${JSON.stringify(given)})`, at, asking, async (task, _, real) => {
      await Promise.all(
        given.map((one) => persist(() => real.client.update(task.taskId, { [task.key!]: one }))),
      );
      const won = noteWinner(task, real, given);
      expect(won).toBeDefined();
      await settle(task, real, [endAfter(won!)]);
    }),
  ),

  fc.tuple(pick, answer, fc.integer({ min: 1, max: 3 }), fc.boolean()).map(([at, given, n, behind]) =>
    command(
      `crash at call ${n} of answer(${at}, ${JSON.stringify(given)}); again`,
      at,
      asking,
      async (task, _, real) => {
        const update = () => real.client.update(task.taskId, { [task.key!]: given });
        await crash(real, n, behind, update);
        await persist(update);
        task.answers.push(given);
        await settle(task, real, [endAfter(given)]);
      },
    ),
  ),

  fc
    .tuple(pick, fc.constantFrom({ action: 'accept' }, accept('nonsense'), { action: 'perhaps' }))
    .map(([at, wrong]) =>
      command(`wrong answer(${at}, ${JSON.stringify(wrong)})`, at, asking, async (task, _, real) => {
        const update = real.client.update(task.taskId, { [task.key!]: wrong });
        await expect(update).rejects.toMatchObject({ code: -32602 });
        expect(openKeys(await real.client.get(task.taskId))).toEqual([task.key]);
      }),
    ),

  fc.tuple(pick, answer).map(([at, given]) =>
    command(`stale answer(${at})`, at, any, async (task, _, real) => {
      const stale = task.keys.filter((key) => key !== task.key || task.state !== 'asks');
      const update = real.client.update(task.taskId, { [stale[0] ?? 'next-never-asked']: given });
      if (task.state === 'gone') await expect(update).rejects.toMatchObject({ code: -32602 });
      else expect(await update).toMatchObject({ resultType: 'complete' });
      if (task.state !== 'gone') expect(acceptedBy(task, real.accepted)).toEqual(task.answers);
    }),
  ),

  pick.map((at) =>
    command(`poll(${at})`, at, any, async (task, _, real) => {
      if (task.state === 'gone') return;
      const seen = await real.client.get(task.taskId);
      if (task.state === 'asks') expect(openKeys(seen)).toEqual([task.key]);
    }),
  ),

  fc.tuple(pick, fc.integer({ min: 1, max: 2 })).map(([at, times]) =>
    command(`cancel(${at}) × ${times}`, at, any, async (task, _, real) => {
      const cancels = Array.from({ length: times }, () => real.client.cancel(task.taskId));
      if (task.state === 'gone') {
        for (const one of cancels) await expect(one).rejects.toMatchObject({ code: -32602 });
        return;
      }
      await Promise.all(cancels);
      if (task.state === 'asks') await settle(task, real, [CANCELLED]);
    }),
  ),

  fc.tuple(pick, fc.integer({ min: 1, max: 3 }), fc.boolean()).map(([at, n, behind]) =>
    command(`crash at call ${n} of cancel(${at}); again`, at, asking, async (task, _, real) => {
      await crash(real, n, behind, () => real.client.cancel(task.taskId));
      await persist(() => real.client.cancel(task.taskId));
      await settle(task, real, [CANCELLED]);
    }),
  ),

  fc.tuple(pick, answer).map(([at, given]) =>
    command(`cancel and answer(${at}, ${JSON.stringify(given)})`, at, asking, async (task, _, real) => {
      await Promise.all([
        persist(() => real.client.update(task.taskId, { [task.key!]: given })),
        persist(() => real.client.cancel(task.taskId)),
      ]);
      const won = noteWinner(task, real, [given]);
      const end = won && endAfter(won);
      await settle(task, real, end === undefined ? [CANCELLED] : [CANCELLED, end]);
    }),
  ),

  pick.map((at) =>
    command(`operator stops(${at})`, at, asking, async (task, _, real) => {
      const { executionArn } = await recordOf(real.engine, task.taskId);
      await real.engine.stepFunctions.send(new StopExecutionCommand({ executionArn: String(executionArn) }));
      // While the event is held back the record still shows the question: a poll finds out a little later.
      await real.client.until(task.taskId, isOver);
      await settle(task, real, [CANCELLED]);
    }),
  ),

  pick.map((at) =>
    command(`time runs out(${at})`, at, asking, async (task, _, real) => {
      await setRecord(real, task, { ttlMs: 1 });
      await settle(task, real, [OUT_OF_TIME]);
    }),
  ),

  pick.map((at) =>
    // A claim expires with its task, and the test cannot make it; so no keyed ones.
    command(
      `expires(${at})`,
      at,
      (model) => over(model).filter(({ tool }) => tool !== 'keyed'),
      async (task, _, real) => {
        await setRecord(real, task, { expiresAt: Math.floor(Date.now() / 1000) - 1 });
        task.state = 'gone';
      },
    ),
  ),

  pick.map((at) =>
    command(`somebody else's task(${at})`, at, any, async (task, _, real) => {
      if (task.state === 'gone') return;
      const { pk, ...item } = await recordOf(real.engine, task.taskId);
      const taskId = `tsk_${String(real.steps).padStart(22, '0')}`;
      const planted = {
        ...item,
        pk: String(pk).replace(/.*#/, 'mallory#').replace(task.taskId, taskId),
        taskId,
      };
      const TableName = real.engine.table('Tasks');
      await real.engine.documents.send(new PutCommand({ TableName, Item: planted }));
      for (const attempt of [
        real.client.get(taskId),
        real.client.cancel(taskId),
        real.client.update(taskId, { [task.key ?? 'key']: accept('complete') }),
      ]) {
        await expect(attempt).rejects.toMatchObject({ code: -32602 });
      }
    }),
  ),

  fc.boolean().map((holding) => ({
    check: () => true,
    async run(_, real) {
      real.steps++;
      real.holding = holding;
    },
    toString: () => (holding ? 'events are held back' : 'events come at once'),
  })),

  fc.boolean().map((twice) => ({
    check: () => true,
    async run(_, real) {
      real.steps++;
      for (const deliver of real.held.splice(0).reverse()) {
        await deliver();
        if (twice) await deliver();
      }
    },
    toString: () => `late events, the last first${twice ? ', twice' : ''}`,
  })),
];

const setRecord = async (
  { engine }: Real,
  { taskId }: ModelTask,
  set: Record<string, number>,
): Promise<void> => {
  const [[name, value]] = Object.entries(set) as [[string, number]];
  await engine.documents.send(
    new UpdateCommand({
      TableName: engine.table('Tasks'),
      Key: { pk: `public#${taskId}` },
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': value },
    }),
  );
};

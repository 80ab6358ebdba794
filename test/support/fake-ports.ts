import type { Claim, Execution, ExecutionInput, TaskStore, Workflows } from '../../lambdas/protocol/ports.ts';
import { partitionKey, type TaskRecord, type TaskRef } from '../../lambdas/protocol/task.ts';

/**
 * Both ports in memory. `calls` has every call that AWS would be billed for, in order; `during` lets something
 * happen while one of them is under way: a crash (it throws), or a workflow that is faster.
 */
export const fakePorts = () => {
  const calls: string[] = [];
  const records = new Map<string, TaskRecord>();
  const started: { tool: string; input: ExecutionInput }[] = [];
  const stopped: { executionArn: string; reason: string }[] = [];
  const executions = new Map<string, Execution>();
  const claims = new Map<string, Claim>();
  const withdrawn: string[] = [];
  const answers = new Map<string, unknown>();
  const effects = new Map<string, () => void>();

  const called = (call: string): void => {
    calls.push(call);
    const effect = effects.get(call);
    effects.delete(call);
    effect?.();
  };

  /** Every write after creation holds only while the task works. */
  const change = (ref: TaskRef, write: (task: TaskRecord) => Partial<TaskRecord>): boolean => {
    const task = records.get(partitionKey(ref));
    if (task?.status !== 'working') return false;
    records.set(partitionKey(ref), { ...task, ...write(task) });
    return true;
  };

  const store: TaskStore = {
    async create(task) {
      called('store.create');
      if (!records.has(partitionKey(task))) records.set(partitionKey(task), structuredClone(task));
    },
    async get(ref) {
      called('store.get');
      const task = records.get(partitionKey(ref));
      const expired = task !== undefined && (task.expiresAt ?? Infinity) <= Date.now() / 1000;
      return expired ? undefined : structuredClone(task);
    },
    async clearInput(ref, key, token, at) {
      called('store.clearInput');
      if (records.get(partitionKey(ref))?.inputs[key]?.token !== token) return;
      change(ref, ({ inputs }) => ({
        inputs: Object.fromEntries(Object.entries(inputs).filter(([open]) => open !== key)),
        lastUpdatedAt: at,
      }));
    },
    async requestCancel(ref, at) {
      called('store.requestCancel');
      const marked = change(ref, () => ({ cancelRequestedAt: at, lastUpdatedAt: at }));
      return marked ? structuredClone(records.get(partitionKey(ref))!.inputs) : undefined;
    },
    async claim(claim) {
      called('store.claim');
      const key = `${claim.tenant}#${claim.key}`;
      if (!claims.has(key)) claims.set(key, claim);
      return claims.get(key)!;
    },
    async closeQueued(ref, end) {
      called('store.closeQueued');
      if (records.get(partitionKey(ref))?.queuedInput === undefined) return false;
      return change(ref, () => ({ ...end, inputs: {} }));
    },
    async dequeue(ref, at) {
      called('store.dequeue');
      return change(ref, () => ({ queuedInput: undefined, lastUpdatedAt: at }));
    },
    async close(ref, end) {
      called('store.close');
      return change(ref, () => ({ ...end, inputs: {} }));
    },
  };

  const workflows: Workflows = {
    executionArn: (tool, taskId) => `arn:aws:states:eu-central-1:123456789012:execution:${tool}:${taskId}`,
    async start(tool, input) {
      called('workflows.start');
      started.push({ tool, input: structuredClone(input) });
    },
    async describe(executionArn) {
      called('workflows.describe');
      return executions.get(executionArn) ?? { status: 'running' };
    },
    async stop(executionArn, reason) {
      called('workflows.stop');
      stopped.push({ executionArn, reason });
    },
    async answer(token, output) {
      called('workflows.answer');
      if (answers.has(token)) return false;
      answers.set(token, structuredClone(output));
      return true;
    },
    async withdraw(token) {
      called('workflows.withdraw');
      withdrawn.push(token);
    },
  };

  return {
    calls,
    records,
    started,
    stopped,
    answers,
    /** What `describe` finds, by ARN; running without it. */
    executions,
    withdrawn,
    store,
    workflows,
    /** Once, at the next such call. */
    during: (call: string, effect: () => void): void => void effects.set(call, effect),
    crashAt: (call: string, words = 'Unreachable'): void =>
      void effects.set(call, () => {
        throw new Error(words);
      }),
    record: (ref: TaskRef): TaskRecord | undefined => structuredClone(records.get(partitionKey(ref))),
    /** What the workflow's own states write: progress, a question, the end. */
    workflow: (ref: TaskRef) => ({
      report: (statusMessage: string) => change(ref, () => ({ statusMessage })),
      ask: (key: string, request: unknown, token = `token of ${key}`) =>
        change(ref, ({ inputs }) => ({
          inputs: { ...inputs, [key]: { request: JSON.stringify(request), token } },
        })),
      answered: (key: string) =>
        change(ref, ({ inputs }) => ({
          inputs: Object.fromEntries(Object.entries(inputs).filter(([open]) => open !== key)),
        })),
      complete: (result: unknown) =>
        change(ref, () => ({ status: 'completed', result: JSON.stringify(result), inputs: {} })),
      fail: (error: { code: number; message: string }) =>
        change(ref, () => ({
          status: 'failed',
          statusMessage: error.message,
          error: JSON.stringify(error),
          inputs: {},
        })),
    }),
  };
};

export type FakePorts = ReturnType<typeof fakePorts>;

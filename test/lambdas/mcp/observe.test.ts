import { describe, expect, test } from '@jest/globals';
import type { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import { correlate } from '../../../lambdas/mcp/correlate.ts';
import { observeTasks } from '../../../lambdas/mcp/observe-tasks.ts';
import { partitionKey } from '../../../lambdas/protocol/task.ts';
import { tasksOver } from '../../../lambdas/protocol/tasks.ts';
import { apiEvent } from '../../support/api-event.ts';
import { fakePorts } from '../../support/fake-ports.ts';
import { serve } from '../../support/mcp.ts';
import { QUESTION } from '../../support/tools.ts';

describe('tasks are observed', () => {
  const watched = () => {
    const ports = fakePorts();
    const counted: unknown[][] = [];
    const keys: object[] = [];
    const count =
      (name: string) =>
      (...values: unknown[]) =>
        void counted.push([name, ...values]);
    const observer = observeTasks({ appendKeys: (added: object) => void keys.push(added) } as Logger, {
      ...{ created: count('created'), answered: count('answered'), ended: count('ended') },
      ...{ reconciled: count('reconciled'), census: count('census') },
    });
    const log = { warn: () => undefined, error: () => undefined };
    const tasks = tasksOver(ports.store, ports.workflows, {
      ...{ retentionMs: 0, staleMs: 60_000, queueMs: 0, startTasks: 'now', log, observer },
    });
    return { ...serve({ tasks }, ports), counted, keys };
  };

  test('a created one counts, and its id and tool are in every further line of the log', async () => {
    const { startTask, counted, keys } = watched();
    const { taskId } = await startTask('build');
    expect(counted).toEqual([['created', 'build']]);
    expect(keys).toContainEqual({ taskId, tool: 'build' });
  });

  test('an answer counts with how long it took, once', async () => {
    const { startTask, tasks, counted, ports } = watched();
    const { ref, taskId } = await startTask('deploy');
    const task = ports.record(ref)!;
    const askedAt = new Date(Date.now() - 60_000).toISOString();
    const inputs = { 'sure-1': { request: JSON.stringify(QUESTION), token: 'token', askedAt } };
    ports.records.set(partitionKey(ref), { ...task, inputs });

    await tasks.update(taskId, { 'sure-1': { action: 'decline' } });
    await tasks.update(taskId, { 'sure-1': { action: 'decline' } });

    const waits = counted.filter(([name]) => name === 'answered');
    expect(waits).toEqual([['answered', 'deploy', expect.any(Number)]]);
    expect(waits[0]![2]).toBeGreaterThanOrEqual(60_000);
  });
});

test('a line of the log names the request, of API Gateway, of Lambda and of MCP, and nothing of the one before', () => {
  const calls: [string, unknown][] = [];
  const log = {
    resetKeys: () => calls.push(['resetKeys', undefined]),
    addContext: (context: unknown) => calls.push(['addContext', context]),
    setCorrelationId: (id: unknown) => calls.push(['setCorrelationId', id]),
    appendKeys: (keys: unknown) => calls.push(['appendKeys', keys]),
  } as unknown as Logger;
  const event = apiEvent({ 'Mcp-Method': 'tasks/get', 'MCP-Name': 'tsk_1' }, '{}');
  event.requestContext.requestId = 'api-request';
  const context = { awsRequestId: 'lambda-request' } as Context;

  correlate(log, event, context);

  expect(calls).toEqual([
    ['resetKeys', undefined],
    ['addContext', context],
    ['setCorrelationId', 'api-request'],
    ['appendKeys', { method: 'tasks/get', name: 'tsk_1' }],
  ]);
});

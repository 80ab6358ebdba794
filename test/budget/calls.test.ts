import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { seed } from '../../tools/run_migration/demo/records.ts';
import { useEngine } from '../support/engine.ts';
import { pollUntil, rpc } from '../support/tasks-client.ts';

/** The design's budget, counted where the calls arrive. */
describe('AWS calls per operation', () => {
  const engine = useEngine();
  const operations = () =>
    engine.calls
      .filter(({ caller }) => caller.startsWith('Endpoint'))
      .map(({ service, operation }) => `${service}:${operation}`);
  const call = async (tool: string, args: object): Promise<string> => {
    const { result } = await rpc(engine.mcpUrl, 'tools/call', { name: tool, arguments: args });
    return result!['taskId'];
  };

  beforeAll(() => seed(engine.documents, engine.table('Records')));
  beforeEach(() => engine.resetCalls());

  test('tools/call of a task tool writes the record, then starts the execution', async () => {
    await call('countdown', { seconds: 60 });
    expect(operations()).toEqual(['dynamodb:PutItem', 'states:StartExecution']);
  });

  test('tools/call with arguments that are not valid writes nothing', async () => {
    const { result } = await rpc(engine.mcpUrl, 'tools/call', {
      name: 'countdown',
      arguments: { seconds: 'many' },
    });
    expect(result).toMatchObject({ isError: true, resultType: 'complete' });
    expect(operations()).toEqual([]);
  });

  test('tools/call of a synchronous tool calls nothing', async () => {
    await rpc(engine.mcpUrl, 'tools/call', { name: 'list_migrations', arguments: {} });
    expect(operations()).toEqual([]);
  });

  test('tasks/get reads one record', async () => {
    const taskId = await call('countdown', { seconds: 60 });
    engine.resetCalls();
    await rpc(engine.mcpUrl, 'tasks/get', { taskId });
    expect(operations()).toEqual(['dynamodb:GetItem']);
  });

  test('tasks/update reads, answers and clears', async () => {
    const taskId = await call('run_migration', { migration: 'retire_free_plan' });
    const { inputRequests } = await pollUntil(engine.mcpUrl, taskId, 'input_required');
    const [key] = Object.keys(inputRequests);
    engine.resetCalls();
    await rpc(engine.mcpUrl, 'tasks/update', { taskId, inputResponses: { [key!]: { action: 'decline' } } });
    expect(operations()).toEqual(['dynamodb:GetItem', 'states:SendTaskSuccess', 'dynamodb:UpdateItem']);
  });

  test('tasks/update with an unknown key only reads', async () => {
    const taskId = await call('countdown', { seconds: 60 });
    engine.resetCalls();
    await rpc(engine.mcpUrl, 'tasks/update', { taskId, inputResponses: { stale: { action: 'decline' } } });
    expect(operations()).toEqual(['dynamodb:GetItem']);
  });

  test('tasks/cancel reads, stops and closes', async () => {
    const taskId = await call('countdown', { seconds: 60 });
    engine.resetCalls();
    await rpc(engine.mcpUrl, 'tasks/cancel', { taskId });
    expect(operations()).toEqual(['dynamodb:GetItem', 'states:StopExecution', 'dynamodb:UpdateItem']);
  });
});

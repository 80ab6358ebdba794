import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { seed } from '../../tools/run_migration/demo/records.ts';
import { age } from '../../scripts/task/age.ts';
import { cancel } from '../../scripts/task/cancel.ts';
import { deploymentOf } from '../../scripts/task/deployment.ts';
import { useEngine } from '../support/engine.ts';
import { useProgram } from '../support/program.ts';
import { pollUntil, rpc } from '../support/tasks-client.ts';

describe('npm run task', () => {
  const engine = useEngine();

  const program = useProgram('scripts/task.ts');
  const run = (...args: string[]) => promisify(execFile)(process.execPath, [program.file, ...args]);
  const task = async (...args: string[]) => (await run(...args, '--endpoint', engine.url)).stdout;
  const call = async (name: string, args: object): Promise<string> =>
    (await rpc(engine.mcpUrl, 'tools/call', { name, arguments: args })).result!['taskId'];

  test('shows a task that waits, lists it as stuck, and cancels it', async () => {
    await seed(engine.documents, engine.table('Records'));
    const taskId = await call('run_migration', { migration: 'retire_free_plan' });
    await pollUntil(engine.mcpUrl, taskId, 'input_required');

    const shown = await task('show', taskId);
    expect(shown).toMatch(/^status {6}input_required$/m);
    expect(shown).toMatch(
      /^question {4}confirm_delete-\S+: Delete 47 of 342 records for good\? \(open for \d+ s\)$/m,
    );
    expect(shown).toMatch(/^execution {3}RUNNING/m);
    expect(shown).toContain(`#/v2/executions/details/arn:aws:states:us-east-1:000000000000:execution:`);
    expect(shown).not.toMatch(/token/i);
    expect(await task('list-stuck')).toMatch(
      new RegExp(
        `^${taskId}  run_migration  \\d+ s  waits for confirm_delete-\\S+\\n1 stuck of 1 working\\. Read 1 records, [\\d.]+ read units\\.`,
      ),
    );

    expect(await task('cancel', taskId)).toBe(`${taskId} is cancelled.\n`);
    expect(await pollUntil(engine.mcpUrl, taskId, 'cancelled')).toMatchObject({ status: 'cancelled' });
    expect(await task('cancel', taskId)).toBe(`${taskId} had ended before.\n`);
    expect(await task('list-stuck')).toMatch(/^0 stuck of 0 working/);
  });

  test('has cancelled a task, too, if the reconciler was faster to close its record', async () => {
    Object.assign(process.env, {
      ...{ AWS_ENDPOINT_URL: engine.url, AWS_REGION: 'us-east-1' },
      ...{ AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
    });
    const taskId = await call('countdown', { seconds: 600 });
    const deployment = await deploymentOf(undefined);
    const { documents } = deployment;
    const send = documents.send.bind(documents) as (command: unknown) => Promise<unknown>;
    documents.send = (async (command: unknown) => {
      if (command instanceof UpdateCommand) await pollUntil(engine.mcpUrl, taskId, 'cancelled');
      return send(command);
    }) as typeof documents.send;

    expect(await cancel(deployment, taskId)).toEqual([`${taskId} is cancelled.`]);
  });

  test('tells the states and the errors of a task', async () => {
    const taskId = await call('run_migration', { migration: 'drop_everything' });
    await pollUntil(engine.mcpUrl, taskId, 'completed');

    const lines = (await task('history', taskId)).trim().split('\n');
    expect(lines[0]).toMatch(/Z {2}Run run_migration$/);
    expect(lines.find((line) => line.includes('ToolError'))).toContain('Unknown migration');
    expect(await task('show', taskId)).toMatch(/^status {6}completed$/m);
  });

  test('says so when there is no such task, and how it is used', async () => {
    await expect(task('show', 'tsk_unknown')).rejects.toMatchObject({
      stderr: expect.stringContaining('No execution is called tsk_unknown.'),
    });
    await expect(run('show')).rejects.toMatchObject({ stderr: expect.stringContaining('list-stuck') });
  });
});

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [7_199, '1 h'],
  [86_400, '1 d'],
])('%i seconds are %s', (seconds, words) => {
  expect(age(new Date(0).toISOString(), seconds * 1_000)).toBe(words);
});

import assert from 'node:assert/strict';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { resultFromTaskOutcome, taskViewFromExecutionEvent } from '@modelcontextprotocol/ext-tasks/client';
import { connect, type ConnectOptions } from '../../local/mcp-client.ts';
import { demoRecords, seed } from '../../tools/run_migration/demo/records.ts';
import type { CustomerRecord } from '../../tools/run_migration/migrations.ts';
import type { Scenario, Target } from './target.ts';

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: { confirm: boolean } };

/** Calls a task tool and follows it to its end, as an application would. */
const run = async (target: Target, tool: string, args: Record<string, string | number>, answer?: Answer) => {
  const questions: string[] = [];
  const onQuestion: ConnectOptions['onQuestion'] = async (request) => {
    questions.push(String(request.params?.['message']));
    return answer as never;
  };
  const connection = await connect(target.mcpUrl, { headers: target.headers, onQuestion });
  try {
    const execution = await connection.session.callTool(tool, args);
    assert.equal(execution.kind, 'task', `${tool} should have become a task`);
    const seen: string[] = [];
    const { outcome } = await execution.settle({
      onEvent: (event) => {
        const task = taskViewFromExecutionEvent(event);
        if (task) seen.push(task.status);
      },
    });
    return { outcome, result: () => resultFromTaskOutcome(outcome) as CallToolResult, questions, seen };
  } finally {
    await connection.close();
  }
};

const text = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');

const rows = async ({ documents, recordsTable }: Target): Promise<CustomerRecord[]> => {
  const { Items = [] } = await documents.send(new ScanCommand({ TableName: recordsTable }));
  return (Items as CustomerRecord[]).sort((a, b) => a.id.localeCompare(b.id));
};

const YES: Answer = { action: 'accept', content: { confirm: true } };

export const scenarios: Record<string, Scenario> = {
  'a migration asks before it deletes, applies, and reports': async (target) => {
    await seed(target.documents, target.recordsTable);
    const { result, questions, seen } = await run(
      target,
      'run_migration',
      { migration: 'retire_free_plan' },
      YES,
    );

    assert.deepEqual(questions, ['Delete 47 of 342 records for good?']);
    assert.ok(seen.includes('input_required'));
    assert.equal(text(result()), 'retire_free_plan: 75 records updated, 47 deleted, of 342.');
    assert.deepEqual(result().structuredContent, {
      migration: 'retire_free_plan',
      outcome: 'applied',
      total: 342,
      updated: 75,
      deleted: 47,
    });
    const left = await rows(target);
    assert.equal(left.length, 342 - 47);
    assert.ok(left.every(({ status, plan }) => status === 'active' && plan !== 'free'));
  },

  'a second run changes nothing': async (target) => {
    const before = await rows(target);
    const { result, questions } = await run(target, 'run_migration', { migration: 'retire_free_plan' }, YES);
    assert.deepEqual(questions, []);
    assert.equal((result().structuredContent as { outcome: string }).outcome, 'nothing_to_do');
    assert.deepEqual(await rows(target), before);
  },

  ...Object.fromEntries(
    [
      { action: 'decline' } as const,
      { action: 'cancel' } as const,
      { action: 'accept', content: { confirm: false } } as const,
    ].map((answer) => [
      `answering ${JSON.stringify(answer)} leaves every row as it was`,
      async (target: Target) => {
        await seed(target.documents, target.recordsTable);
        const { result } = await run(target, 'run_migration', { migration: 'retire_free_plan' }, answer);
        assert.equal(text(result()), 'retire_free_plan: declined. All 342 records are as they were.');
        assert.deepEqual(await rows(target), demoRecords());
      },
    ]),
  ),

  'a migration that deletes nothing does not ask': async (target) => {
    await seed(target.documents, target.recordsTable);
    const { result, questions } = await run(target, 'run_migration', { migration: 'lowercase_emails' }, YES);
    assert.deepEqual(questions, []);
    assert.equal(text(result()), 'lowercase_emails: 342 records updated, 0 deleted, of 342.');
  },

  'an unknown migration is an error that names the known ones': async (target) => {
    const { outcome, result } = await run(target, 'run_migration', { migration: 'drop_everything' });
    assert.equal(outcome.status, 'completed');
    assert.equal(result().isError, true);
    assert.equal(
      text(result()),
      'Unknown migration "drop_everything". Known migrations: lowercase_emails, retire_free_plan.',
    );
  },

  'a countdown counts down': async (target) => {
    const { result } = await run(target, 'countdown', { seconds: 1 });
    assert.equal(text(result()), 'Lift-off after 1 seconds.');
  },

  'a cancelled task stays cancelled': async (target) => {
    const { session, close } = await connect(target.mcpUrl, { headers: target.headers });
    const execution = await session.callTool('countdown', { seconds: 600 });
    await execution.cancel();
    const { outcome } = await execution.settle();
    assert.equal(outcome.status, 'cancelled');
    await close();
  },

  'a tool without a task answers at once': async (target) => {
    const { client, close } = await connect(target.mcpUrl, { headers: target.headers });
    const result = await client.callTool({ name: 'list_migrations', arguments: {} });
    assert.deepEqual(
      (result.structuredContent as { migrations: { name: string }[] }).migrations.map(({ name }) => name),
      ['lowercase_emails', 'retire_free_plan'],
    );
    await close();
  },
};

import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { resultFromTaskOutcome, taskViewFromExecutionEvent } from '@modelcontextprotocol/ext-tasks/client';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { startEngine } from '../../../local/engine.ts';
import { startIssuer } from '../../../local/issuer.ts';
import { localContext } from '../../../local/local-context.ts';
import { connect, type ConnectOptions } from '../../../local/mcp-client.ts';
import { removeAssembly, synthesize } from '../../../local/synth.ts';
import { seed } from './records.ts';

const USAGE = `npm run demo [-- --yes] [--auth]

Runs the migration retire_free_plan over 342 seeded records on the embedded engine.
  --yes    answer the question with yes (so does a run without a terminal)
  --auth   ask callers for a token of a local issuer, and call with one`;

const { values: options } = parseArgs({
  options: { yes: { type: 'boolean' }, auth: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}
// The AWS SDK would say in every run that it is going to want a newer Node.js.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;

/** One line that changes on a terminal; one line per change in a log. */
const showProgress = (text: string): void => {
  process.stdout.write(isTerminal ? `\r\u001b[K  ${text}` : `  ${text}\n`);
};

const onQuestion: ConnectOptions['onQuestion'] = async (request) => {
  if (request.kind !== 'elicitation') throw new Error(`Unexpected question: ${request.kind}`);
  const question = String(request.params['message']);
  if (isTerminal) process.stdout.write('\n');
  const confirm = options.yes || !isTerminal ? true : await askPerson(question);
  if (options.yes || !isTerminal) console.log(`? ${question} yes`);
  return { action: 'accept', content: { confirm } } as never;
};

const askPerson = async (question: string): Promise<boolean> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`? ${question} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
};

const demo = async (): Promise<void> => {
  console.log('Synthesising the stack (bin/app.ts) …');
  const issuer = options.auth ? await startIssuer() : undefined;
  const assembly = await synthesize({ context: localContext(issuer) });
  const engine = await startEngine({ assembly });
  try {
    console.log(`MCP server on ${engine.mcpUrl}, workflows on the embedded engine\n`);
    const table = engine.tableNames.find((name) => name.includes('Records'));
    if (table === undefined) throw new Error('The template has no Records table');
    const dynamo = new DynamoDBClient({
      endpoint: engine.awsEndpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'demo', secretAccessKey: 'demo' },
    });
    await seed(DynamoDBDocumentClient.from(dynamo), table);
    dynamo.destroy();

    const connection = await connect(engine.mcpUrl, {
      onQuestion,
      headers: issuer && { Authorization: `Bearer ${await issuer.token('alice')}` },
    });
    if (issuer) await showChallenge(engine.mcpUrl);
    await runMigration(connection);
    await connection.close();
  } finally {
    await engine.close();
    await issuer?.close();
    removeAssembly(assembly);
  }
};

/** What a caller without a token is told, as the deployed API would tell it. */
const showChallenge = async (mcpUrl: string): Promise<void> => {
  const { status, headers } = await fetch(mcpUrl, { method: 'POST', body: '{}' });
  console.log(`Without a token: ${status}\n  WWW-Authenticate: ${headers.get('www-authenticate')}`);
  console.log('With a token of the local issuer, as alice:\n');
};

const runMigration = async ({ session }: Awaited<ReturnType<typeof connect>>): Promise<void> => {
  console.log('> tools/call run_migration { "migration": "retire_free_plan" }');
  const execution = await session.callTool('run_migration', { migration: 'retire_free_plan' });
  if (execution.kind !== 'task') throw new Error('The call should have become a task');
  console.log(`< task ${execution.handle.taskId}`);

  let shown: string | undefined;
  const { outcome } = await execution.settle({
    onEvent(event) {
      const task = taskViewFromExecutionEvent(event);
      // While input is required, the question itself is on the screen.
      if (task === undefined || task.status === 'input_required') return;
      const text = task.statusMessage ?? task.status;
      if (text !== shown) showProgress((shown = text));
    },
  });
  if (isTerminal) process.stdout.write('\n');
  const { content, structuredContent } = resultFromTaskOutcome(outcome) as CallToolResult;
  for (const block of content) if (block.type === 'text') console.log(`< ${block.text}`);
  console.log(`  ${JSON.stringify(structuredContent)}`);
  console.log(`\nThe task’s execution has the same name: ${execution.handle.taskId}`);
};

demo().catch((error: unknown) => {
  console.error(error instanceof Error ? error.stack : error);
  process.exitCode = 1;
});

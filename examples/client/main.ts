import { createInterface } from 'node:readline/promises';
import { connect } from './connection.ts';
import { fileJournal } from './journal.ts';
import { isForgotten, requestCancel, runTool, type AnswerQuestion } from './run-tool.ts';

const [url, path, tool, json = '{}'] = process.argv.slice(2);
if (!url || !path || !tool) {
  console.error('usage: npx tsx examples/client/main.ts URL JOURNAL TOOL [ARGUMENTS as JSON]');
  process.exit(2);
}

/** Yes or no on the terminal: enough for forms with one boolean. ANSWER=yes|no stands in for a person. */
const onQuestion: AnswerQuestion = async ({ method, params }) => {
  const { message, requestedSchema } = params as {
    message?: string;
    requestedSchema?: { properties: object };
  };
  if (method !== 'elicitation/create' || !requestedSchema) return { action: 'cancel' };
  console.log(`? ${message}`);
  const yes = /^y/i.test(process.env['ANSWER'] ?? (await ask('  [y/N] ')));
  const [field] = Object.keys(requestedSchema.properties);
  return yes ? { action: 'accept', content: { [field!]: true } } : { action: 'decline' };
};

const ask = async (prompt: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(prompt);
  } finally {
    terminal.close();
  }
};

const connection = await connect(url);
const journal = fileJournal(path);
process.once('SIGINT', () => {
  console.log('  asked the server to cancel; it tells how the task ends');
  void requestCancel({ connection, journal });
});
try {
  const outcome = await runTool({
    connection,
    journal,
    tool,
    args: JSON.parse(json),
    onQuestion,
    onStatus: ({ status, statusMessage }) => console.log(`  ${statusMessage ?? status}`),
  });
  console.log(JSON.stringify(outcome));
} catch (error) {
  if (!isForgotten(error)) throw error;
  console.error('The server knows this task no more.');
  process.exitCode = 1;
} finally {
  await connection.close();
}

/**
 * The example client, in a process that kills itself at the step CRASH_AT: before a request, after its answer has come
 * and before anybody has read it, or after a line of the journal. Prints the steps, and the outcome if it gets there.
 */
import { connect } from '../../examples/client/connection.ts';
import { fileJournal, type Entry } from '../../examples/client/journal.ts';
import { runTool } from '../../examples/client/run-tool.ts';

const [url, path] = process.argv.slice(2) as [string, string];

const step = (name: string): void => {
  console.log(`step ${name}`);
  if (name === process.env['CRASH_AT']) process.kill(process.pid, 'SIGKILL');
};

const { fetch } = globalThis;
globalThis.fetch = async (input, init) => {
  const method = new Headers(init?.headers).get('mcp-method') ?? 'other';
  step(`before ${method}`);
  const response = await fetch(input, init);
  // The whole answer has arrived here, except for streams, which have no end to wait for.
  if (method !== 'subscriptions/listen') await response.clone().arrayBuffer();
  step(`after ${method}`);
  return response;
};

const inFile = fileJournal(path);
const nameOf = ({ outcome, answers, task }: Entry): string => {
  if (outcome) return 'outcome';
  const given = Object.values(answers);
  if (given.length > 0) return given.every(({ sent }) => sent) ? 'sent' : 'answer';
  return task ? 'task' : 'call';
};

const connection = await connect(url);
const outcome = await runTool({
  connection,
  journal: {
    read: inFile.read,
    async write(entry) {
      await inFile.write(entry);
      step(`journal ${nameOf(entry)}`);
    },
  },
  tool: 'run_migration',
  args: { migration: 'retire_free_plan' },
  async onQuestion() {
    step('asked');
    return { action: 'accept', content: { confirm: true } };
  },
});
await connection.close();
console.log(`outcome ${JSON.stringify(outcome)}`);

/** A client in a new process: knows a task by what another one stored, and brings it to its end. */
import { resultFromTaskOutcome, type SerializedTaskReference } from '@modelcontextprotocol/ext-tasks/client';
import { connect } from '../../local/mcp-client.ts';

const [mcpUrl, stored] = process.argv.slice(2);
const { session, close } = await connect(mcpUrl!, {
  onQuestion: async () => ({ action: 'accept', content: { confirm: true } }) as never,
});
const execution = await session.resumeTask(JSON.parse(stored!) as SerializedTaskReference);
const { outcome } = await execution.settle();
console.log(JSON.stringify({ status: outcome.status, result: resultFromTaskOutcome(outcome) }));
await close();

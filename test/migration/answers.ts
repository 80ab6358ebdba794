import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { TestEngine } from '../support/engine.ts';
import { rpc } from '../support/tasks-client.ts';
import type { Answer, Answers } from './readers.ts';

/** One request of 2025-11-25. Of a stream that asks something, everything up to the question. */
const rpc2025 = async (mcpUrl: string, method: string, params: Record<string, unknown>): Promise<Answer> => {
  const leave = new AbortController();
  const response = await fetch(mcpUrl, {
    method: 'POST',
    signal: leave.signal,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (/"method":"elicitation\/create".*\n\n/.test(text)) break;
  }
  leave.abort();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const documents = isStream ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data!) : [text];
  const messages = documents.map((json) => JSON.parse(json));
  const last = messages.findLast((message) => 'result' in message || 'error' in message) ?? {};
  return { ...last, before: messages.filter(({ method }) => method !== undefined) };
};

type Call = (method: string, params: Record<string, unknown>) => Promise<Answer>;

/** Real answers of this server, on one revision: the same calls of the same tools. */
const collect = async (call: Call, taskIdOf: (start: Answer) => string, plain: Call): Promise<Answers> => {
  const start = (name: string, args: Record<string, unknown>) =>
    call('tools/call', { name, arguments: args, task: {} });
  const until = async (taskId: string, status: string[]): Promise<Answer> => {
    for (;;) {
      const answer = await call('tasks/get', { taskId });
      if (answer.error || status.includes(answer.result.status)) return answer;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const ends = ['completed', 'failed', 'cancelled'];

  const working = await start('countdown', { seconds: 600 });
  const quick = taskIdOf(await start('countdown', { seconds: 0 }));
  const wrong = taskIdOf(await start('run_migration', { migration: 'drop_everything' }));
  const asks = taskIdOf(await start('run_migration', { migration: 'retire_free_plan' }));
  const taskId = taskIdOf(working);
  return {
    start: working,
    get: await call('tasks/get', { taskId }),
    plainHeaders: await plain('tasks/get', { taskId }),
    cancel: await call('tasks/cancel', { taskId }),
    completed: await until(quick, ends),
    result: await call('tasks/result', { taskId: quick }),
    lateCancel: await call('tasks/cancel', { taskId: quick }),
    toolError: await until(wrong, ends),
    question: await until(asks, ['input_required']),
    questionStream: await call('tasks/result', { taskId: asks }),
    list: await call('tasks/list', {}),
  };
};

export const answersOf = async (engine: TestEngine): Promise<Record<'2025' | '2026', Answers>> => {
  const { mcpUrl } = engine;
  const Item = { id: 'a', version: 1, email: 'a@example.com', plan: 'pro', status: 'closed' };
  await engine.documents.send(new PutCommand({ TableName: engine.table('Records'), Item }));
  const call2025: Call = (method, params) => rpc2025(mcpUrl, method, params);
  const call2026: Call = (method, params) => rpc(mcpUrl, method, params);
  const noHeaders: Call = (method, params) => rpc(mcpUrl, method, params, { headers: { 'Mcp-Name': '' } });
  return {
    '2025': await collect(call2025, ({ result }) => result.task.taskId, call2025),
    '2026': await collect(call2026, ({ result }) => result.taskId, noHeaders),
  };
};

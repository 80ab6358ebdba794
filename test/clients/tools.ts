import * as z from 'zod';
import { defineTaskTool, type ToolTable } from '../../lambdas/protocol/define-tool.ts';
import { tools as shipped } from '../../tools/index.ts';

/** Ends in a JSON-RPC error, which no shipped tool does. */
const close_books = defineTaskTool({
  title: 'Close the books',
  description: 'Fails, as a task does whose request was wrong.',
  inputSchema: z.object({}),
  ttlMs: 600_000,
  pollIntervalMs: 100,
  asks: [],
});

export const tools = { ...shipped, close_books } satisfies ToolTable;

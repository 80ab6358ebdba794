import * as z from 'zod';
import { defineSyncTool, defineTaskTool, type SyncHandler } from '../../lambdas/protocol/define-tool.ts';
import { ToolError } from '../../lambdas/protocol/tool-error.ts';

const taskDefaults = {
  ttlMs: 3_600_000,
  pollIntervalMs: 500,
  inputSchema: z.object({}),
  withoutTasks: 'refuse',
} as const;

/** A table with a tool of every kind the endpoint tells apart. */
export const tools = {
  build: defineTaskTool({
    ...taskDefaults,
    title: 'Build',
    description: 'Builds something large.',
    inputSchema: z.object({ what: z.string().min(1), count: z.number().optional() }),
    asks: [],
  }),
  deploy: defineTaskTool({
    ...taskDefaults,
    title: 'Deploy',
    description: 'Asks before it deploys.',
    asks: ['elicitation.form'],
  }),
  pay: defineTaskTool({
    ...taskDefaults,
    title: 'Pay',
    description: 'Sends the person to a page.',
    asks: ['elicitation.form', 'elicitation.url'],
  }),
  summarize: defineTaskTool({
    ...taskDefaults,
    title: 'Summarize',
    description: 'Asks the client’s model.',
    asks: ['sampling'],
  }),
  add: defineSyncTool({
    title: 'Add',
    description: 'Adds two numbers.',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
  }),
  refuse: defineSyncTool({ title: 'Refuse', description: 'Throws a ToolError.', inputSchema: z.object({}) }),
  crash: defineSyncTool({ title: 'Crash', description: 'Throws.', inputSchema: z.object({}) }),
  lie: defineSyncTool({
    title: 'Lie',
    description: 'Breaks its output schema.',
    inputSchema: z.object({}),
    outputSchema: z.object({ sum: z.number() }),
  }),
};

/** What must never reach a caller. */
export const SECRET = 'arn:aws:dynamodb:eu-central-1:123456789012:table/Tasks';

export const handlers: Record<string, SyncHandler> = {
  add: ({ a, b }) => {
    const sum = Number(a) + Number(b);
    return { content: [{ type: 'text', text: String(sum) }], structuredContent: { sum } };
  },
  refuse: () => {
    throw new ToolError('No such customer.');
  },
  crash: () => {
    throw new Error(`Cannot read ${SECRET}`);
  },
  lie: () => ({
    content: [{ type: 'text', text: `secret ${SECRET}` }],
    structuredContent: { sum: 'not a number' },
  }),
};

/** A question as a workflow publishes it. */
export const QUESTION = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Really? 🤔',
    requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] },
  },
};

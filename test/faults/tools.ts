import * as z from 'zod';
import { defineTaskTool, type ToolTable } from '../../lambdas/protocol/define-tool.ts';

const DAY_MS = 24 * 3_600_000;

/** What a driven workflow does next is what its question is answered with (workflows.ts). */
export const NEXT = ['progress', 'complete', 'tool_error', 'fail', 'broken'] as const;

const driven = {
  title: 'Driven',
  description: 'Does what its question is answered with.',
  inputSchema: z.object({ note: z.string().optional(), undoFails: z.boolean().default(false) }),
  ttlMs: DAY_MS,
  pollIntervalMs: 100,
  asks: ['elicitation.form'],
} as const;

/** A small set of tools whose ways to run and to end are all in the hands of a test. */
export const tools = {
  drive: defineTaskTool(driven),
  cooperative: defineTaskTool({ ...driven, cancel: 'cooperative' }),
  patient: defineTaskTool({ ...driven, asks: [], cancel: 'cooperative' }),
  keyed: defineTaskTool({ ...driven, idempotencyKey: ({ note = '' }) => note.split(':')[0]! }),
  short: defineTaskTool({ ...driven, ttlMs: 1_000 }),
  unlimited: defineTaskTool({ ...driven, ttlMs: null }),
  extended: defineTaskTool({ ...driven, ttlMs: 1_000, maxTtlMs: 60_000 }),
  pair: defineTaskTool(driven),
  instant: defineTaskTool(driven),
  large: defineTaskTool({ ...driven, inputSchema: z.object({ bytes: z.int() }), asks: [] }),
} satisfies ToolTable;

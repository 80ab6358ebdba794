import * as z from 'zod';
import { defineTaskTool } from '../../lambdas/protocol/define-tool.ts';

export const countdown = defineTaskTool({
  title: 'Countdown',
  description: 'Waits for a number of seconds, then says so. The smallest possible task.',
  inputSchema: z.object({
    seconds: z.int().min(0).max(3_600).describe('How long to wait, in seconds.'),
  }),
  annotations: { readOnlyHint: true },
  ttlMs: 2 * 3_600_000,
  pollIntervalMs: 1_000,
  asks: [],
});

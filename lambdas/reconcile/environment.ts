import * as z from 'zod';

export const reconcilerEnvironment = z.object({ TASK_TABLE: z.string() });

export type ReconcilerEnvironment = z.input<typeof reconcilerEnvironment>;

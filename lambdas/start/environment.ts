import * as z from 'zod';

export const starterEnvironment = z.object({
  TASK_TABLE: z.string(),
  /** JSON: ARN of the state machine of each task tool. */
  STATE_MACHINES: z
    .string()
    .transform((json) => JSON.parse(json))
    .pipe(z.record(z.string(), z.string())),
});

export type StarterEnvironment = z.input<typeof starterEnvironment>;

import { z } from 'zod';

/** What the endpoint needs to know: its input type checks the CDK side, its parser runs once at cold start. */
export const endpointEnvironment = z.object({
  SERVER_NAME: z.string(),
  SERVER_VERSION: z.string(),
  TASK_TABLE: z.string(),
  /** JSON: ARN of the state machine of each task tool. */
  STATE_MACHINES: z
    .string()
    .transform((json) => JSON.parse(json))
    .pipe(z.record(z.string(), z.string())),
});

export type EndpointEnvironment = z.input<typeof endpointEnvironment>;

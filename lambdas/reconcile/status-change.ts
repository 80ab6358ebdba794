import * as z from 'zod';
import { ENDED } from '../aws/execution-status.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);

/**
 * The `detail` of EventBridge's "Step Functions Execution Status Change". Input and output are missing when they are
 * too large together for an event.
 * https://docs.aws.amazon.com/step-functions/latest/dg/eventbridge-integration.html
 */
export const statusChange = z.object({
  executionArn: z.string(),
  status: z.enum(['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED']).transform((status) => ENDED[status]),
  input: text,
  output: text,
  error: text,
  cause: text,
  /** Epoch milliseconds. */
  stopDate: z.number().nullish(),
});

export type StatusChange = z.output<typeof statusChange>;

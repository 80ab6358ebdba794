import * as z from 'zod';

/** JSON, as environments have it: ARN of each task tool's state machine, by the tool's name. */
export const stateMachineArns = z
  .string()
  .transform((json) => JSON.parse(json))
  .pipe(z.record(z.string(), z.string()));

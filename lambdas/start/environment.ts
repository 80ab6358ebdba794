import * as z from 'zod';
import { stateMachineArns } from '../aws/state-machine-arns.ts';

export const starterEnvironment = z.object({
  TASK_TABLE: z.string(),
  STATE_MACHINES: stateMachineArns,
});

export type StarterEnvironment = z.input<typeof starterEnvironment>;

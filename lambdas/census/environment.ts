import * as z from 'zod';

export const censusEnvironment = z.object({ TASK_TABLE: z.string() });

export type CensusEnvironment = z.input<typeof censusEnvironment>;

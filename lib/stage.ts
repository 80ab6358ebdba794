import * as z from 'zod';
import { flag } from './context-values.ts';

/** What a stage is for: `dev` may be destroyed at any time, `prod` may not. */
export const stages = ['dev', 'prod'] as const;
export type Stage = (typeof stages)[number];

/** Retentions that CloudWatch Logs knows. */
const LOG_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653];

/** CDK context whose defaults depend on the stage. */
export const stageSettings = {
  stage: z.enum(stages),
  stackName: z.string().regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'a stack name has letters, digits and hyphens'),
  /** Keep the tables and their rows when the stack goes, and refuse to delete them. */
  protectData: flag,
  logRetentionDays: z.coerce.number().refine((days) => LOG_DAYS.includes(days), {
    error: `CloudWatch keeps logs for ${LOG_DAYS.join(', ')} days`,
  }),
  logLevel: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']),
  /** Of the endpoint, in MB; CPU comes with it. */
  memoryMb: z.coerce.number().int().min(128).max(10_240),
  /** Environments of the endpoint that are kept warm, each for about $0.0042 per GB and hour; 0 starts them on demand. */
  provisionedConcurrency: z.coerce.number().int().min(0).max(1_000),
  /** How often open questions are counted, by reading the whole table of tasks; 0 never. */
  censusMinutes: z.coerce.number().int().min(0).max(1_440),
  /** Alarms, and a dashboard. */
  alarms: z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean()),
};

type StageDefaults = Record<Exclude<keyof typeof stageSettings, 'stage'>, string | number | boolean>;

const defaults: Record<Stage, StageDefaults> = {
  dev: {
    stackName: 'McpTasks',
    protectData: false,
    logRetentionDays: 14,
    logLevel: 'DEBUG',
    memoryMb: 512,
    provisionedConcurrency: 0,
    censusMinutes: 0,
    alarms: false,
  },
  prod: {
    stackName: 'McpTasksProd',
    protectData: true,
    logRetentionDays: 90,
    logLevel: 'INFO',
    memoryMb: 1_024,
    provisionedConcurrency: 0,
    censusMinutes: 60,
    alarms: true,
  },
};

/** The context with what its stage says about everything that it leaves open. An unknown stage is left to the schema. */
export const withStageDefaults = (context: Record<string, unknown>): Record<string, unknown> => {
  const { stage = 'dev' } = context;
  const given = Object.entries(context).filter(([, value]) => value !== undefined);
  return { stage, ...defaults[stage as Stage], ...Object.fromEntries(given) };
};

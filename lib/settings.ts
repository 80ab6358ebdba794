import { RemovalPolicy } from 'aws-cdk-lib';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IConstruct } from 'constructs';
import * as z from 'zod';
import { authRequirements, authSettings } from './auth/settings.ts';
import { flag } from './context-values.ts';
import { edgeRequirements, edgeSettings } from './edge/settings.ts';
import { stageSettings, withStageDefaults } from './stage.ts';

/** Leaves time for a cold start and for the calls around the wait. */
const LONGEST_BUFFERED_WAIT = 25;

/** The CDK context of this app: `cdk.json`, or `-c name=value` on the command line. */
const contextSchema = z.object({
  ...authSettings,
  ...edgeSettings,
  ...stageSettings,
  serverName: z.string().min(1).default('serverless-mcp-tasks'),
  serverVersion: z.string().min(1).default('0.1.0'),
  /** Pass responses on as they are written, so that clients can listen to tasks. */
  streaming: flag.default(true),
  /** Task ids one listen stream may follow; 0 switches listening off, polling still works. */
  listenTasksPerStream: z.coerce.number().int().min(0).max(100).default(20),
  /** How long a listen stream may stay open; it holds one concurrent execution of the endpoint all the while. */
  listenSecondsPerStream: z.coerce.number().int().min(1).max(840).default(300),
  /**
   * How long a call may wait for its task, for clients without tasks: 50 unless said, 20 behind an API that buffers.
   * Clients commonly give a request 60 seconds; an API that buffers cuts it after 29.
   */
  waitSeconds: z.coerce.number().int().min(1).max(300).optional(),
  /** How long clients can still read how a task ended when its time is over; then it reads as unknown. */
  taskRetentionMinutes: z.coerce.number().min(0).max(43_200).default(60),
  /**
   * After how long without a write a poll looks at the task's execution, in case its end went unnoticed. Longer than
   * a request can take, or a task could be given up while it is being started.
   */
  staleTaskSeconds: z.coerce.number().min(30).max(3_600).default(60),
  /** Results above it (bytes, as Step Functions counts them) are stored in S3; between states 262,144 pass. */
  storeResultsAboveBytes: z.coerce.number().int().min(1_000).max(250_000).default(200_000),
  /**
   * Results up to it (bytes of JSON) are delivered in the response, larger ones as a link. A buffered response of a
   * Lambda function has 6 MB, in which quotes count twice.
   */
  largestInlineResultBytes: z.coerce.number().int().min(100_000).max(5_000_000).default(2_500_000),
  /** How long clients may go without asking again for the lists of tools, prompts and resources; a deployment changes them. */
  listCacheSeconds: z.coerce.number().int().min(0).max(86_400).default(60),
  /** `public` lets a cache between share the lists among callers. */
  listCacheScope: z.enum(['private', 'public']).default('private'),
  /** Serve the experimental tasks of MCP 2025-11-25 to clients of that revision; they end on 2027-07-28. */
  legacyTasks: flag.default(true),
  /** An SNS topic of yours that alarms report to. */
  alarmTopicArn: z.string().startsWith('arn:', 'must be the ARN of an SNS topic').optional(),
  /** Makes a topic that mails alarms here, once its first mail is confirmed. */
  alarmEmail: z.email().optional(),
});

type Context = z.output<typeof contextSchema>;

const checkedSchema = contextSchema.check(({ value, issues }) => {
  const isGiven = (name: keyof Context): boolean =>
    value[name] !== undefined && (value[name] as string | string[]).length !== 0;
  if (!value.streaming && value.waitSeconds !== undefined && value.waitSeconds > LONGEST_BUFFERED_WAIT) {
    issues.push({
      code: 'custom',
      path: ['waitSeconds'],
      message: `must be at most ${LONGEST_BUFFERED_WAIT} with streaming=false: the API cuts such a request after 29 seconds`,
      input: value.waitSeconds,
    });
  }
  for (const { when, needs, hint } of [...authRequirements, ...edgeRequirements]) {
    const [name, wanted] = when;
    if (!isGiven(name) || (wanted !== undefined && value[name] !== wanted)) continue;
    for (const missing of needs.filter((needed) => !isGiven(needed))) {
      issues.push({ code: 'custom', path: [missing], message: `is missing: ${hint}`, input: undefined });
    }
  }
});

export interface Settings extends Context {
  logRetention: RetentionDays;
  dataRemoval: RemovalPolicy;
}

export const contextNames = Object.keys(contextSchema.shape);

/** Its message says, per setting, what is wrong and what to do. */
export class SettingsError extends Error {}

/** @throws SettingsError */
export const parseSettings = (context: Record<string, unknown>): Settings => {
  const parsed = checkedSchema.safeParse(withStageDefaults(context));
  if (!parsed.success) {
    throw new SettingsError(
      parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'),
    );
  }
  return {
    ...parsed.data,
    // The enumeration's values are days.
    logRetention: parsed.data.logRetentionDays as RetentionDays,
    dataRemoval: parsed.data.protectData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  };
};

const KEY = 'serverless-mcp-tasks:settings';

/** A stack gives its settings to everything in it; constructs need not hand them down. */
export const provideSettings = (scope: IConstruct, settings: Settings): void =>
  scope.node.setContext(KEY, settings);

export const settingsOf = (scope: IConstruct): Settings => scope.node.getContext(KEY) as Settings;

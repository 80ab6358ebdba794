import { RemovalPolicy } from 'aws-cdk-lib';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IConstruct } from 'constructs';
import * as z from 'zod';
import { stageSettings, withStageDefaults } from './stage.ts';

/** Who may call. Modes that verify callers are still to come; until then being open must be asked for. */
const auth = z.literal('none', {
  error:
    'This stack has no authentication yet, so its endpoint would be open to the internet. ' +
    'If that is what you want (a sandbox, say), ask for it in so many words: -c auth=none',
});

const flag = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean(),
);

/** Several values in one: separated by spaces or commas on the command line, a list in cdk.json. */
const list = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : value),
  z.array(z.string()),
);

const isOrigin = (origin: string): boolean => URL.canParse(origin) && new URL(origin).origin === origin;
const isHostname = (name: string): boolean =>
  URL.canParse(`http://${name}`) && new URL(`http://${name}`).host === name && !/:\d+$/.test(name);

/** The CDK context of this app: `cdk.json`, or `-c name=value` on the command line. */
const contextSchema = z.object({
  auth,
  ...stageSettings,
  serverName: z.string().min(1).default('serverless-mcp-tasks'),
  serverVersion: z.string().min(1).default('0.1.0'),
  /** Pass responses on as they are written, so that clients can listen to tasks. */
  streaming: flag.default(true),
  /** Task ids one listen stream may follow; 0 switches listening off, polling still works. */
  listenTasksPerStream: z.coerce.number().int().min(0).max(100).default(20),
  /** How long a listen stream may stay open; it holds one concurrent execution of the endpoint all the while. */
  listenSecondsPerStream: z.coerce.number().int().min(1).max(840).default(300),
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
  /** Web pages that may call, by their origins as browsers send them. */
  allowedOrigins: list
    .refine((all) => all.every(isOrigin), {
      error: 'an origin is a scheme and a host, with a port if it is an unusual one: https://app.example.com',
    })
    .default([]),
  /**
   * Names the server goes by; it answers to no others, and pages on them may call. Unset on AWS, where API Gateway
   * answers to its own names only; on a developer's machine it keeps foreign pages out.
   */
  allowedHosts: list
    .refine((all) => all.every(isHostname), { error: 'a hostname has no scheme and no port: localhost' })
    .optional(),
  /** How long clients may go without asking again for the lists of tools, prompts and resources; a deployment changes them. */
  listCacheSeconds: z.coerce.number().int().min(0).max(86_400).default(60),
  /** `public` lets a cache between share the lists among callers. */
  listCacheScope: z.enum(['private', 'public']).default('private'),
  /** An SNS topic of yours that alarms report to. */
  alarmTopicArn: z.string().startsWith('arn:', 'must be the ARN of an SNS topic').optional(),
  /** Makes a topic that mails alarms here, once its first mail is confirmed. */
  alarmEmail: z.email().optional(),
});

export interface Settings extends z.output<typeof contextSchema> {
  logRetention: RetentionDays;
  dataRemoval: RemovalPolicy;
}

export const contextNames = Object.keys(contextSchema.shape);

/** Its message says, per setting, what is wrong and what to do. */
export class SettingsError extends Error {}

/** @throws SettingsError */
export const parseSettings = (context: Record<string, unknown>): Settings => {
  const parsed = contextSchema.safeParse(withStageDefaults(context));
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

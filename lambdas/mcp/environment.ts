import * as z from 'zod';
import { stateMachineArns } from '../aws/state-machine-arns.ts';

/** Separated by spaces. */
const list = z.string().transform((text) => text.split(' ').filter(Boolean));

/** What the endpoint needs to know: its input type checks the CDK side, its parser runs once at cold start. */
export const endpointEnvironment = z.object({
  SERVER_NAME: z.string(),
  SERVER_VERSION: z.string(),
  TASK_TABLE: z.string(),
  /** Holds the results that are too large for a record. */
  RESULT_BUCKET: z.string(),
  /** The largest result, in bytes of JSON, that is delivered in a response; above it goes a link. */
  INLINE_RESULT_BYTES: z.coerce.number<string>().int().min(0),
  /** Whether the API passes responses on as they are written; if not, nobody can listen. */
  STREAMING: z.enum(['on', 'off']),
  /** How long a call waits for its task at most, for clients without tasks. */
  WAIT_SECONDS: z.coerce.number<string>().int().min(1),
  /** Whether clients of 2025-11-25 get the tasks of that revision. */
  LEGACY_TASKS: z.enum(['on', 'off']),
  LISTEN_TASKS_PER_STREAM: z.coerce.number<string>().int().min(0),
  LISTEN_SECONDS_PER_STREAM: z.coerce.number<string>().int().min(1),
  /** Who has told the API who calls. */
  AUTH: z.enum(['cognito', 'jwt', 'iam', 'none']),
  /** AUTH=iam: whether a user or role is a tenant, or a whole account. */
  IAM_TENANT: z.enum(['principal', 'accountId']),
  MAX_REQUEST_BYTES: z.coerce.number<string>().int(),
  /** How logs name a tenant. */
  LOG_TENANTS: z.enum(['plain', 'hashed']),
  /** How long a record can still be read when the task's time is over. */
  TASK_RETENTION_MINUTES: z.coerce.number<string>().min(0),
  /** After how long without a write a task is held against its execution. */
  STALE_TASK_SECONDS: z.coerce.number<string>().min(0),
  /** Whether a task is started while its caller waits, or when the stream of the task table says so. */
  START_TASKS: z.enum(['now', 'queued']).default('now'),
  /** After how long a task that waits to be started is given up. */
  QUEUED_TASK_SECONDS: z.coerce.number<string>().min(0).default(0),
  /** Web pages that may call. */
  ALLOWED_ORIGINS: list,
  /** Hostnames the server goes by; a request for any other is refused. Without it, all are served. */
  ALLOWED_HOSTS: list.optional(),
  LIST_CACHE_SECONDS: z.coerce.number<string>().int().min(0),
  LIST_CACHE_SCOPE: z.enum(['private', 'public']),
  /** Where the key is for tools that keep state between rounds; the stack has one if it has such tools. */
  REQUEST_STATE_SECRET: z.string().optional(),
  STATE_MACHINES: stateMachineArns,
});

export type EndpointEnvironment = z.input<typeof endpointEnvironment>;

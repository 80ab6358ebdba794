import * as z from 'zod';

/** What the endpoint needs to know: its input type checks the CDK side, its parser runs once at cold start. */
export const endpointEnvironment = z.object({
  SERVER_NAME: z.string(),
  SERVER_VERSION: z.string(),
  TASK_TABLE: z.string(),
  /** Whether the API passes responses on as they are written; if not, nobody can listen. */
  STREAMING: z.enum(['on', 'off']),
  LISTEN_TASKS_PER_STREAM: z.coerce.number<string>().int().min(0),
  LISTEN_SECONDS_PER_STREAM: z.coerce.number<string>().int().min(1),
  /** Who has told the API who calls. */
  AUTH: z.enum(['cognito', 'jwt', 'iam', 'none']),
  /** AUTH=iam: whether a user or role is a tenant, or a whole account. */
  IAM_TENANT: z.enum(['principal', 'accountId']),
  /** Web pages that may call, separated by spaces. */
  ALLOWED_ORIGINS: z.string().transform((text) => text.split(' ').filter(Boolean)),
  MAX_REQUEST_BYTES: z.coerce.number<string>().int(),
  /** How logs name a tenant. */
  LOG_TENANTS: z.enum(['plain', 'hashed']),
  /** JSON: ARN of the state machine of each task tool. */
  STATE_MACHINES: z
    .string()
    .transform((json) => JSON.parse(json))
    .pipe(z.record(z.string(), z.string())),
});

export type EndpointEnvironment = z.input<typeof endpointEnvironment>;

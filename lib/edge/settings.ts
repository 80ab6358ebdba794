import * as z from 'zod';
import { flag, list, type Requirement } from '../context-values.ts';

const isOrigin = (origin: string): boolean => URL.canParse(origin) && new URL(origin).origin === origin;

const isHostname = (name: string): boolean =>
  URL.canParse(`http://${name}`) && new URL(`http://${name}`).host === name && !/:\d+$/.test(name);

export const edgeSettings = {
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
  /** Of the whole API; what comes on top is answered with 429. */
  requestsPerSecond: z.coerce.number().int().min(1).default(100),
  requestBurst: z.coerce.number().int().min(1).default(200),
  /** A larger request is answered with 413. A task takes 256 KB of arguments at most. */
  maxRequestKilobytes: z.coerce.number().int().min(1).max(6_000).default(1_000),
  /** A web application firewall: rules that AWS maintains, and a limit per source address. */
  firewall: flag.default(false),
  firewallRequestsPerMinute: z.coerce.number().int().min(10).default(600),
  /** A line per request from the API itself. Needs the account's CloudWatch role for API Gateway. */
  accessLogs: flag.default(false),
  /** Encrypts tables, logs, executions and the functions' environments with a key of this stack's own. */
  customerManagedKey: flag.default(false),
  /** A domain of yours for the API, and the ACM certificate for it in the same region. */
  domainName: z.string().min(1).optional(),
  certificateArn: z.string().startsWith('arn:', 'must be the ARN of a certificate').optional(),
  /** The zone to make the domain's DNS record in; without it that is left to you. */
  hostedZoneId: z.string().min(1).optional(),
  hostedZoneName: z.string().min(1).optional(),
};

export const edgeRequirements: Requirement<keyof typeof edgeSettings>[] = [
  {
    when: ['domainName'],
    needs: ['certificateArn'],
    hint: 'a domain is served with its certificate. Add -c certificateArn=arn:… (ACM, in the stack’s region)',
  },
  {
    when: ['certificateArn'],
    needs: ['domainName'],
    hint: 'a certificate is for a domain. Add -c domainName=…',
  },
  ...(['hostedZoneId', 'hostedZoneName'] as const).map((name) => ({
    when: [name] as [typeof name],
    needs: ['domainName', 'hostedZoneId', 'hostedZoneName'] as const satisfies string[],
    hint: 'the DNS record takes all of -c domainName=… -c hostedZoneId=… -c hostedZoneName=…',
  })),
];

import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A call as the budget tests count it. */
export interface AwsCall {
  /** As IAM writes it. */
  service: 'dynamodb' | 'states' | 's3' | 'secretsmanager';
  operation: string;
  /** The logical id of the function that calls, `workflow` for a Task state's integration, else `client`. */
  caller: string;
}

export interface AwsRequest extends AwsCall {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface AwsReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The call happened, but its answer is lost: the caller's connection breaks. */
export const DROP = Symbol('drop the connection');

/**
 * Middleware around AWS calls. Before `proceed()` it may wait, or answer instead with `awsError(…)`; after it, it may
 * change the reply or lose it.
 */
export type AwsCallHook = (
  call: AwsRequest,
  proceed: () => Promise<AwsReply>,
) => Promise<AwsReply | typeof DROP>;

/** Access key of the engine's own integrations. A function's access key is its logical id. */
export const WORKFLOW = 'workflow';

export const awsReply = (body: unknown, status = 200): AwsReply => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': randomUUID() },
  body: JSON.stringify(body),
});

/** An error as the AWS JSON protocols word it, e.g. `awsError('ThrottlingException', 'Rate exceeded')`. */
export const awsError = (type: string, message: string, status = 400): AwsReply =>
  awsReply({ __type: type, message }, status);

/** S3 is told by the path, all others by a target. */
type TargetedService = Exclude<AwsCall['service'], 's3'>;

const SERVICE_OF_TARGET: Record<string, TargetedService> = {
  DynamoDB_20120810: 'dynamodb',
  AWSStepFunctions: 'states',
  secretsmanager: 'secretsmanager',
};

/** Tells service, operation and caller from the headers; undefined if the target is no service of this engine. */
export const parseAwsCall = (
  headers: IncomingHttpHeaders,
  callers: ReadonlySet<string>,
): (AwsCall & { service: TargetedService }) | undefined => {
  const [target = '', operation = ''] = String(headers['x-amz-target']).split('.');
  const service = SERVICE_OF_TARGET[target];
  return service && { service, operation, caller: callerOf(headers, callers) };
};

/** The function that signed the request, by its access key. */
export const callerOf = (headers: IncomingHttpHeaders, callers: ReadonlySet<string>): string => {
  // SigV4: Credential=<access key>/<date>/<region>/<service>/aws4_request
  const [, accessKey = ''] = /Credential=([^/]+)\//.exec(headers.authorization ?? '') ?? [];
  return callers.has(accessKey) ? accessKey : 'client';
};

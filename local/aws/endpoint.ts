import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../http.ts';
import type { TableStreams } from '../events/table-streams.ts';
import type { StepFunctionsApi } from '../step-functions/api.ts';
import type { CallLog } from './call-log.ts';
import { awsError, callerOf, DROP, parseAwsCall, type AwsReply } from './calls.ts';
import type { DynamoDb } from './dynamodb.ts';
import type { S3 } from './s3.ts';
import type { SecretsManager } from './secrets-manager.ts';

const MAX_REQUEST_BYTES = 16 * 1024 * 1024;

export interface AwsEndpointOptions {
  calls: CallLog;
  dynamoDb: DynamoDb;
  streams: TableStreams;
  stepFunctions: StepFunctionsApi;
  s3: S3;
  secretsManager: SecretsManager;
  /** Access keys that name a caller. */
  callers: ReadonlySet<string>;
}

/** Serves the AWS calls: notes who calls what, and hands the call to its service. */
export class AwsEndpoint {
  constructor(private readonly options: AwsEndpointOptions) {}

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, MAX_REQUEST_BYTES);
    const reply = await (this.options.s3.owns(request)
      ? this.object(request, body)
      : this.reply(request, body));
    if (reply === DROP) {
      response.destroy();
      return;
    }
    response.writeHead(reply.status, reply.headers).end(reply.body);
  }

  /** Whether a request is an AWS call, and none for the API. */
  owns(request: IncomingMessage): boolean {
    return request.headers['x-amz-target'] !== undefined || this.options.s3.owns(request);
  }

  private async object(
    request: IncomingMessage,
    body: Buffer = Buffer.alloc(0),
  ): Promise<AwsReply | typeof DROP> {
    const { calls, s3, callers } = this.options;
    const { headers } = request;
    const call = {
      service: 's3',
      operation: s3.operationOf(request),
      caller: callerOf(headers, callers),
    } as const;
    return calls.handle({ ...call, headers, body }, async () => s3.serve(request, body));
  }

  private async reply(
    { headers }: IncomingMessage,
    body: Buffer | undefined,
  ): Promise<AwsReply | typeof DROP> {
    const { calls, dynamoDb, streams, stepFunctions, secretsManager, callers } = this.options;
    const call = parseAwsCall(headers, callers);
    if (!call) {
      const target = headers['x-amz-target'];
      return awsError('UnknownOperationException', `The local engine does not serve ${target}.`);
    }
    if (!body) return awsError('RequestEntityTooLargeException', 'The request is too large.', 413);
    const serve = {
      dynamodb: async () =>
        call.operation === 'PutItem'
          ? streams.put(body, (put) => dynamoDb.serve(headers, put))
          : dynamoDb.serve(headers, body),
      states: async () => stepFunctions.serve(call.operation, body),
      secretsmanager: async () => secretsManager.serve(call.operation, body),
    };
    return calls.handle({ ...call, headers, body }, serve[call.service]);
  }
}

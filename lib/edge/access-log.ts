import { Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  LogGroupLogDestination,
  type RestApi,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { settingsOf } from '../settings.ts';
import { encryptionKeyOf } from './encryption-key.ts';

/** One line per request, those among them that never reach a Lambda. Nothing that a caller sent but the path. */
const FORMAT = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    time: AccessLogField.contextRequestTime(),
    sourceIp: AccessLogField.contextIdentitySourceIp(),
    method: AccessLogField.contextHttpMethod(),
    path: AccessLogField.contextResourcePath(),
    status: AccessLogField.contextStatus(),
    latencyMs: AccessLogField.contextResponseLatency(),
    refusedAs: AccessLogField.contextErrorResponseType(),
  }),
);

/**
 * Off by default: API Gateway writes logs by a role of the whole account, which is not one stack's to set.
 * Once it is set (docs/security.md), say -c accessLogs=true.
 */
export const accessLog = (scope: Construct): StageOptions => {
  const { accessLogs, logRetention, dataRemoval } = settingsOf(scope);
  if (!accessLogs) return {};
  const group = new LogGroup(scope, 'Access log', {
    retention: logRetention,
    removalPolicy: dataRemoval,
    encryptionKey: encryptionKeyOf(scope),
  });
  return { accessLogDestination: new LogGroupLogDestination(group), accessLogFormat: FORMAT };
};

/** What the settings leave out, and what is left out in any case. */
export const explainLogs = (restApi: RestApi): void => {
  Validations.of(restApi).acknowledge({
    id: 'AwsSolutions-APIG6',
    reason: 'Execution logs would hold what callers send, arguments and answers among it.',
  });
  if (settingsOf(restApi).accessLogs) return;
  Validations.of(restApi).acknowledge({
    id: 'AwsSolutions-APIG1',
    reason:
      'It takes a role of the whole account, which is not one stack’s to set: -c accessLogs=true once it is.',
  });
};

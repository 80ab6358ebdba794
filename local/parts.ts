import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { RestApi } from './api-gateway/rest-api.ts';
import { CallLog } from './aws/call-log.ts';
import { WORKFLOW } from './aws/calls.ts';
import { DynamoDb } from './aws/dynamodb.ts';
import { S3 } from './aws/s3.ts';
import { AwsEndpoint } from './aws/endpoint.ts';
import { SecretsManager } from './aws/secrets-manager.ts';
import type { EngineOptions } from './engine.ts';
import { EventBus } from './events/event-bus.ts';
import { statusChangeEvent } from './events/status-change.ts';
import { TableStreams } from './events/table-streams.ts';
import { Functions } from './lambda/functions.ts';
import { StepFunctionsApi } from './step-functions/api.ts';
import { dynamoDbIntegrations } from './step-functions/integrations/dynamodb.ts';
import { lambdaFunction, lambdaInvoke } from './step-functions/integrations/lambda.ts';
import { StepFunctions } from './step-functions/step-functions.ts';
import { ResolvedTemplate } from './template.ts';
import { REGION } from './template-names.ts';

const INTEGRATION_TIMEOUT_MS = 29_000;

export type Parts = Awaited<ReturnType<typeof assemble>>;

/** Makes the services of a template and connects them. `url` is where they will be served. */
export const assemble = async (
  options: EngineOptions & { url: string; log: NonNullable<EngineOptions['log']> },
) => {
  const { assembly, dataDir, integrationTimeoutMs = INTEGRATION_TIMEOUT_MS, log, url } = options;
  const template = new ResolvedTemplate(assembly.template, url);

  const calls = new CallLog();
  if (options.onAwsCall) calls.intercept(options.onAwsCall);
  const functions = new Functions({ template, directory: assembly.directory, awsEndpoint: url, log });
  const client = new DynamoDBClient({
    region: REGION,
    endpoint: url,
    credentials: { accessKeyId: WORKFLOW, secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  const integrations = [lambdaFunction, lambdaInvoke, ...dynamoDbIntegrations(client)];
  const stepFunctions = new StepFunctions(template, { functions, integrations }, options);
  if (options.onExecutionEnd) stepFunctions.onExecutionEnd(options.onExecutionEnd);
  const events = new EventBus({ template, functions, log });
  stepFunctions.onExecutionEnd((end) => void events.put(statusChangeEvent(end)));
  const streams = new TableStreams({ template, functions, log });
  const api = new RestApi({ template, functions, integrationTimeoutMs });

  const dynamoDb = await DynamoDb.start(template, dataDir);
  const awsEndpoint = new AwsEndpoint({
    calls,
    dynamoDb,
    streams,
    s3: new S3(template),
    stepFunctions: new StepFunctionsApi(stepFunctions),
    secretsManager: new SecretsManager(template),
    callers: new Set([WORKFLOW, ...functions.logicalIds]),
  });

  return {
    api,
    awsEndpoint,
    calls,
    dynamoDb,
    events,
    stepFunctions,
    streams,
    async close() {
      events.close();
      streams.close();
      stepFunctions.close();
      await functions.close();
      client.destroy();
      await dynamoDb.close();
    },
  };
};

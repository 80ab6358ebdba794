import { devNull } from 'node:os';
import { REGION } from '../template-names.ts';

export interface EnvironmentOptions {
  logicalId: string;
  functionName: string;
  memorySize: number;
  /** Where this engine answers AWS calls. */
  awsEndpoint: string;
  /** The template's Environment.Variables. */
  variables: Record<string, string>;
}

/** The environment of a function: the template's variables, and what the Lambda runtime sets itself. */
export const functionEnvironment = (options: EnvironmentOptions): Record<string, string> => {
  const { logicalId, functionName, memorySize, awsEndpoint, variables } = options;
  const env: Record<string, string> = {
    ...variables,
    TZ: ':UTC',
    LANG: 'en_US.UTF-8',
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs',
    AWS_LAMBDA_FUNCTION_NAME: functionName,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memorySize),
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${functionName}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    // The access key tells the engine which function makes a call. There is no secret to keep.
    AWS_ACCESS_KEY_ID: logicalId,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: awsEndpoint,
    AWS_ENDPOINT_URL_SFN: awsEndpoint,
    AWS_ENDPOINT_URL_S3: awsEndpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: awsEndpoint,
    // A developer's own profiles must not reach the function: on Lambda there are none.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    // Metrics are lines of the log, for CloudWatch to read; nobody reads them here.
    POWERTOOLS_METRICS_DISABLED: 'true',
    // It is about the Node.js of this machine; on Lambda the template's runtime decides.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  };
  // A worker refuses to start with process-wide options in its NODE_OPTIONS. Source maps are on anyway.
  delete env.NODE_OPTIONS;
  return env;
};

import { Aws, Duration, Validations } from 'aws-cdk-lib';
import {
  AuthorizationType,
  EndpointType,
  LambdaIntegration,
  MockIntegration,
  PassthroughBehavior,
  ResponseTransferMode,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Authentication } from './auth/index.ts';
import { accessLog, explainLogs } from './edge/access-log.ts';
import { letPagesCall } from './edge/cors.ts';
import { addDnsRecord, domainOf } from './edge/custom-domain.ts';
import { addFirewall } from './edge/firewall.ts';
import { settingsOf } from './settings.ts';

export interface McpApiProps {
  endpoint: IFunction;
  authentication: Authentication;
}

const STAGE = 'prod';

/**
 * Streamable HTTP is POST alone. Clients of earlier revisions try GET, and read 405 as "no stream here"; what API
 * Gateway says by itself, 403 Missing Authentication Token, they take for trouble with their credentials.
 */
const notAllowed = new MockIntegration({
  passthroughBehavior: PassthroughBehavior.NEVER,
  requestTemplates: { 'application/json': '{ "statusCode": 405 }' },
  integrationResponses: [
    { statusCode: '405', responseParameters: { 'method.response.header.Allow': "'POST'" } },
  ],
});

/** `POST /mcp`, and what callers need to get there. Regional: an edge-optimised API cuts streams after 30 idle seconds. */
export class McpApi extends RestApi {
  /** Where clients connect. */
  readonly mcpUrl: string;

  constructor(scope: Construct, id: string, { endpoint, authentication }: McpApiProps) {
    const { requestsPerSecond, requestBurst, streaming, listenSecondsPerStream } = settingsOf(scope);
    const domainName = domainOf(scope);
    super(scope, id, {
      endpointTypes: [EndpointType.REGIONAL],
      domainName,
      // With a domain of its own, that is the only way in: tokens are for one URL.
      disableExecuteApiEndpoint: domainName !== undefined,
      deployOptions: {
        stageName: STAGE,
        tracingEnabled: true,
        metricsEnabled: true,
        throttlingRateLimit: requestsPerSecond,
        throttlingBurstLimit: requestBurst,
        methodOptions: {
          '/mcp/POST': { throttlingRateLimit: requestsPerSecond, throttlingBurstLimit: requestBurst },
        },
        ...accessLog(scope),
      },
    });
    const baseUrl = domainName
      ? `https://${domainName.domainName}`
      : `https://${this.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${STAGE}`;
    this.mcpUrl = `${baseUrl}/mcp`;

    const integration = new LambdaIntegration(endpoint, {
      allowTestInvoke: false,
      ...(streaming && {
        responseTransferMode: ResponseTransferMode.STREAM,
        timeout: Duration.seconds(listenSecondsPerStream + 30),
      }),
    });
    const mcp = this.root.addResource('mcp');
    mcp.addMethod(
      'POST',
      integration,
      authentication.protect({ restApi: this, baseUrl, mcpUrl: this.mcpUrl }),
    );
    const others = mcp.addMethod('ANY', notAllowed, {
      authorizationType: AuthorizationType.NONE,
      methodResponses: [{ statusCode: '405', responseParameters: { 'method.response.header.Allow': true } }],
    });
    letPagesCall(this, mcp);
    addDnsRecord(this, this);
    addFirewall(this);
    explainLogs(this);
    Validations.of(others).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'Says that there is nothing but POST, and reaches nothing.',
    });
    Validations.of(this).acknowledge(
      {
        id: 'AwsSolutions-APIG2',
        reason: 'The endpoint validates: JSON-RPC and MCP by the SDK, arguments by each tool’s schema.',
      },
      {
        id: 'AwsSolutions-COG4',
        reason:
          'The mode that the settings name checks callers. API Gateway’s own authorizer has no MCP challenge.',
      },
    );
  }
}

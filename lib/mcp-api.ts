import { Duration } from 'aws-cdk-lib';
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
import { settingsOf } from './settings.ts';

export interface McpApiProps {
  endpoint: IFunction;
}

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

/** `POST /mcp`, and nothing else. Regional: an edge-optimised API cuts streams after 30 idle seconds. */
export class McpApi extends RestApi {
  /** Where clients connect. */
  readonly mcpUrl: string;

  constructor(scope: Construct, id: string, { endpoint }: McpApiProps) {
    super(scope, id, {
      endpointTypes: [EndpointType.REGIONAL],
      deployOptions: { tracingEnabled: true, metricsEnabled: true },
    });
    const { streaming, listenSecondsPerStream } = settingsOf(this);
    const integration = new LambdaIntegration(endpoint, {
      allowTestInvoke: false,
      ...(streaming && {
        responseTransferMode: ResponseTransferMode.STREAM,
        timeout: Duration.seconds(listenSecondsPerStream + 30),
      }),
    });
    const mcp = this.root.addResource('mcp');
    mcp.addMethod('POST', integration, {
      authorizationType: AuthorizationType.NONE,
    });
    mcp.addMethod('ANY', notAllowed, {
      authorizationType: AuthorizationType.NONE,
      methodResponses: [{ statusCode: '405', responseParameters: { 'method.response.header.Allow': true } }],
    });
    this.mcpUrl = this.urlForPath(mcp.path);
  }
}

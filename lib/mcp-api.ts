import { Duration } from 'aws-cdk-lib';
import {
  AuthorizationType,
  EndpointType,
  LambdaIntegration,
  ResponseTransferMode,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { settingsOf } from './settings.ts';

export interface McpApiProps {
  endpoint: IFunction;
}

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
    this.mcpUrl = this.urlForPath(mcp.path);
  }
}

import { AuthorizationType, EndpointType, LambdaIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

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
    const mcp = this.root.addResource('mcp');
    mcp.addMethod('POST', new LambdaIntegration(endpoint), { authorizationType: AuthorizationType.NONE });
    this.mcpUrl = this.urlForPath(mcp.path);
  }
}

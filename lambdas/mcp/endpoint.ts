import { Logger } from '@aws-lambda-powertools/logger';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { APIGatewayProxyHandler } from 'aws-lambda';
import { dynamoTaskStore } from '../aws/dynamo-task-store.ts';
import { stepFunctionsWorkflows } from '../aws/step-functions-workflows.ts';
import type { SyncHandler, SyncHandlers, ToolTable } from '../protocol/define-tool.ts';
import { mcpServerFor } from '../protocol/mcp-server.ts';
import { tasksOver } from '../protocol/tasks.ts';
import { endpointEnvironment } from './environment.ts';
import { toProxyResult, toRequest } from './http.ts';

/** The Lambda behind `POST /mcp` for a table of tools. Clients are made here, once per execution environment. */
export const endpointFor = <Tools extends ToolTable>(
  tools: Tools,
  handlers: SyncHandlers<Tools>,
): APIGatewayProxyHandler => {
  const environment = endpointEnvironment.parse(process.env);
  const log = new Logger({ serviceName: 'mcp' });
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient(), {
    marshallOptions: { removeUndefinedValues: true },
  });
  const mcp = createMcpHandler(
    mcpServerFor({
      name: environment.SERVER_NAME,
      version: environment.SERVER_VERSION,
      tools,
      handlers: handlers as unknown as Record<string, SyncHandler>,
      tasks: tasksOver(
        dynamoTaskStore(documents, environment.TASK_TABLE),
        stepFunctionsWorkflows(environment.STATE_MACHINES),
      ),
      tenantOf: () => 'public',
      log,
    }),
    { onerror: (error) => log.warn('Request refused', { error }) },
  );

  return async (event, context) => {
    log.addContext(context);
    return toProxyResult(await mcp.fetch(toRequest(event)));
  };
};

import { Logger } from '@aws-lambda-powertools/logger';
import type { Handler } from 'aws-lambda';
import { documentClient } from '../aws/documents.ts';
import { dynamoTaskStore } from '../aws/dynamo-task-store.ts';
import { largeResults } from '../aws/large-results.ts';
import { stepFunctionsWorkflows } from '../aws/step-functions-workflows.ts';
import type { SyncHandler, SyncHandlers, ToolTable } from '../protocol/define-tool.ts';
import { mcpFetchFor } from '../protocol/mcp-fetch.ts';
import { tasksOver } from '../protocol/tasks.ts';
import { buffered } from './buffered.ts';
import { endpointEnvironment } from './environment.ts';
import { streamed } from './streamed.ts';

/** The Lambda behind `POST /mcp` for a table of tools. Clients are made here, once per execution environment. */
export const endpointFor = <Tools extends ToolTable>(
  tools: Tools,
  handlers: SyncHandlers<Tools>,
): Handler => {
  const environment = endpointEnvironment.parse(process.env);
  const log = new Logger({ serviceName: 'mcp' });
  const fetch = mcpFetchFor({
    name: environment.SERVER_NAME,
    version: environment.SERVER_VERSION,
    tools,
    handlers: handlers as unknown as Record<string, SyncHandler>,
    tasks: tasksOver(
      dynamoTaskStore(
        documentClient(),
        environment.TASK_TABLE,
        largeResults({ bucket: environment.RESULT_BUCKET, inlineBytes: environment.INLINE_RESULT_BYTES }),
      ),
      stepFunctionsWorkflows(environment.STATE_MACHINES),
      {
        retentionMs: environment.TASK_RETENTION_MINUTES * 60_000,
        staleMs: environment.STALE_TASK_SECONDS * 1_000,
        log,
      },
    ),
    tenantOf: () => 'public',
    listen: {
      tasksPerStream: environment.STREAMING === 'on' ? environment.LISTEN_TASKS_PER_STREAM : 0,
      streamMs: environment.LISTEN_SECONDS_PER_STREAM * 1_000,
      pollMs: 1_000,
      keepAliveMs: 15_000,
    },
    log,
  });
  return environment.STREAMING === 'on' ? streamed(fetch, log) : buffered(fetch, log);
};

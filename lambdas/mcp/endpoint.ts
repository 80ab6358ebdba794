import { Logger } from '@aws-lambda-powertools/logger';
import type { Handler } from 'aws-lambda';
import { documentClient } from '../aws/documents.ts';
import { dynamoTaskStore } from '../aws/dynamo-task-store.ts';
import { largeResults } from '../aws/large-results.ts';
import { secretValue } from '../aws/secret-value.ts';
import { stepFunctionsWorkflows } from '../aws/step-functions-workflows.ts';
import { taskMetrics } from '../aws/task-metrics.ts';
import type { ToolHandlers, ToolTable } from '../protocol/define-tool.ts';
import type { Features } from '../protocol/features.ts';
import { mcpFetchFor } from '../protocol/mcp-fetch.ts';
import type { Server } from '../protocol/mcp-server.ts';
import { tasksOver } from '../protocol/tasks.ts';
import { admitWith, type Front } from './admit.ts';
import { buffered } from './buffered.ts';
import { callerOf, tenantOf } from './caller.ts';
import { endpointEnvironment } from './environment.ts';
import { logTasks } from './log-tasks.ts';
import { observeTasks } from './observe-tasks.ts';
import { refuseForeign } from './origin.ts';
import { streamed } from './streamed.ts';

/** The Lambda behind `POST /mcp` for a table of tools. Clients are made here, once per execution environment. */
export const endpointFor = <Tools extends ToolTable>(
  tools: Tools,
  handlers: ToolHandlers<Tools>,
  features: Omit<Features, 'log'> = {},
): Handler => {
  const environment = endpointEnvironment.parse(process.env);
  const secret = environment.REQUEST_STATE_SECRET;
  const log = new Logger({ serviceName: 'mcp' });
  const tasks = tasksOver(
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
      observer: observeTasks(log, taskMetrics()),
    },
  );
  const serve = mcpFetchFor({
    name: environment.SERVER_NAME,
    version: environment.SERVER_VERSION,
    tools,
    handlers: handlers as unknown as Server['handlers'],
    ...features,
    listCaching: { ttlMs: environment.LIST_CACHE_SECONDS * 1_000, cacheScope: environment.LIST_CACHE_SCOPE },
    requestStateKey: secret === undefined ? undefined : secretValue(secret),
    tasks: logTasks(tasks, log, environment.LOG_TENANTS),
    tenantOf: tenantOf(environment.AUTH),
    listen: {
      tasksPerStream: environment.STREAMING === 'on' ? environment.LISTEN_TASKS_PER_STREAM : 0,
      streamMs: environment.LISTEN_SECONDS_PER_STREAM * 1_000,
      pollMs: 1_000,
      keepAliveMs: 15_000,
    },
    wait: { ms: environment.WAIT_SECONDS * 1_000, streams: environment.STREAMING === 'on' },
    legacyTasks: environment.LEGACY_TASKS === 'on',
    log,
  });
  const { ALLOWED_ORIGINS: origins, ALLOWED_HOSTS: hosts } = environment;
  const fetch = refuseForeign(serve, { origins, hosts });
  const front: Front = {
    admit: admitWith({ maxRequestBytes: environment.MAX_REQUEST_BYTES }),
    callerOf: (event) => callerOf(event, environment.IAM_TENANT),
  };
  return environment.STREAMING === 'on' ? streamed(fetch, log, front) : buffered(fetch, log, front);
};

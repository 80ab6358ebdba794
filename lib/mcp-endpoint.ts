import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { EndpointEnvironment } from '../lambdas/mcp/environment.ts';
import { arnsAsJson, explainExecutions } from './executions.ts';
import type { LargeResults } from './large-results.ts';
import { NodeFunction } from './node-function.ts';
import { settingsOf } from './settings.ts';
import { NOBODY_TRIES_AFTER } from './starter.ts';
import type { TaskTable } from './task-table.ts';

export interface McpEndpointProps {
  /** Path of the handler's source file. */
  entry: string;
  taskTable: TaskTable;
  largeResults: LargeResults;
  /** State machine of each task tool, by the tool's name. */
  stateMachines: Record<string, StateMachine>;
}

/** The Lambda that speaks MCP: creates tasks, reads them, passes on answers, stops them. */
export class McpEndpoint extends NodeFunction {
  /** What the API calls: the function, or its newest version with environments that are kept warm. */
  readonly served: IFunction;

  constructor(
    scope: Construct,
    id: string,
    { entry, taskTable, largeResults, stateMachines }: McpEndpointProps,
  ) {
    const settings = settingsOf(scope);
    const { serverName, serverVersion, streaming, listenTasksPerStream, listenSecondsPerStream } = settings;
    super(scope, id, {
      entry,
      memorySize: settings.memoryMb,
      // A buffered request is cut by the API after 29 seconds; a stream may run on, and then ends by itself.
      timeout: Duration.seconds(streaming ? listenSecondsPerStream + 30 : 29),
      environment: {
        SERVER_NAME: serverName,
        SERVER_VERSION: serverVersion,
        STREAMING: streaming ? 'on' : 'off',
        WAIT_SECONDS: String(settings.waitSeconds ?? (streaming ? 50 : 20)),
        LEGACY_TASKS: settings.legacyTasks ? 'on' : 'off',
        LISTEN_TASKS_PER_STREAM: String(listenTasksPerStream),
        LISTEN_SECONDS_PER_STREAM: String(listenSecondsPerStream),
        AUTH: settings.auth,
        IAM_TENANT: settings.tenantClaim === 'accountId' ? 'accountId' : 'principal',
        MAX_REQUEST_BYTES: String(settings.maxRequestKilobytes * 1_000),
        LOG_TENANTS: settings.logTenants,
        TASK_RETENTION_MINUTES: String(settings.taskRetentionMinutes),
        STALE_TASK_SECONDS: String(settings.staleTaskSeconds),
        ...(settings.startTasks === 'queued' && {
          START_TASKS: 'queued' as const,
          QUEUED_TASK_SECONDS: String(NOBODY_TRIES_AFTER.toSeconds()),
        }),
        ALLOWED_ORIGINS: settings.allowedOrigins.join(' '),
        ...(settings.allowedHosts && { ALLOWED_HOSTS: settings.allowedHosts.join(' ') }),
        LIST_CACHE_SECONDS: String(settings.listCacheSeconds),
        LIST_CACHE_SCOPE: settings.listCacheScope,
        STATE_MACHINES: arnsAsJson(scope, stateMachines),
      } satisfies Omit<EndpointEnvironment, 'TASK_TABLE' | 'RESULT_BUCKET' | 'INLINE_RESULT_BYTES'>,
    });
    const { provisionedConcurrency: provisionedConcurrentExecutions } = settings;
    this.served =
      provisionedConcurrentExecutions > 0 ? this.addAlias('live', { provisionedConcurrentExecutions }) : this;
    taskTable.bindTo(this);
    largeResults.bindTo(this);
    for (const stateMachine of Object.values(stateMachines)) {
      if (settings.startTasks === 'now') stateMachine.grantStartExecution(this);
      stateMachine.grantExecution(this, 'states:DescribeExecution', 'states:StopExecution');
      stateMachine.grant(this, 'states:SendTaskSuccess', 'states:SendTaskFailure');
      explainExecutions(this, stateMachine);
    }
  }
}

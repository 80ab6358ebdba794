import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Duration, Stack, Validations, type CfnElement } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { EndpointEnvironment } from '../lambdas/mcp/environment.ts';
import { NodeFunction } from './node-function.ts';
import { settingsOf } from './settings.ts';
import type { TaskTable } from './task-table.ts';

export interface McpEndpointProps {
  /** Path of the handler's source file. */
  entry: string;
  taskTable: TaskTable;
  /** State machine of each task tool, by the tool's name. */
  stateMachines: Record<string, StateMachine>;
}

/** The Lambda that speaks MCP: creates tasks, reads them, passes on answers, stops them. */
export class McpEndpoint extends NodeFunction {
  constructor(scope: Construct, id: string, { entry, taskTable, stateMachines }: McpEndpointProps) {
    const settings = settingsOf(scope);
    const { serverName, serverVersion, streaming, listenTasksPerStream, listenSecondsPerStream } = settings;
    const arns = Object.entries(stateMachines).map(([tool, { stateMachineArn }]) => [tool, stateMachineArn]);
    super(scope, id, {
      entry,
      // A buffered request is cut by the API after 29 seconds; a stream may run on, and then ends by itself.
      timeout: Duration.seconds(streaming ? listenSecondsPerStream + 30 : 29),
      environment: {
        SERVER_NAME: serverName,
        SERVER_VERSION: serverVersion,
        STREAMING: streaming ? 'on' : 'off',
        LISTEN_TASKS_PER_STREAM: String(listenTasksPerStream),
        LISTEN_SECONDS_PER_STREAM: String(listenSecondsPerStream),
        AUTH: settings.auth,
        IAM_TENANT: settings.tenantClaim === 'accountId' ? 'accountId' : 'principal',
        MAX_REQUEST_BYTES: String(settings.maxRequestKilobytes * 1_000),
        LOG_TENANTS: settings.logTenants,
        ALLOWED_ORIGINS: settings.allowedOrigins.join(' '),
        ...(settings.allowedHosts && { ALLOWED_HOSTS: settings.allowedHosts.join(' ') }),
        LIST_CACHE_SECONDS: String(settings.listCacheSeconds),
        LIST_CACHE_SCOPE: settings.listCacheScope,
        STATE_MACHINES: Stack.of(scope).toJsonString(Object.fromEntries(arns)),
      } satisfies Omit<EndpointEnvironment, 'TASK_TABLE'>,
    });
    taskTable.bindTo(this);
    for (const stateMachine of Object.values(stateMachines)) {
      stateMachine.grantStartExecution(this);
      stateMachine.grantExecution(this, 'states:StopExecution');
      stateMachine.grant(this, 'states:SendTaskSuccess');
      const machine = Stack.of(this).getLogicalId(stateMachine.node.defaultChild as CfnElement);
      Validations.of(this.role!).acknowledge({
        id:
          'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:' +
          `{"Fn::Select":[6,{"Fn::Split":[":",{"Ref":"${machine}"}]}]}:*]`,
        reason: 'The executions of this one state machine, which get their names when they start.',
      });
    }
  }
}

import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { AnyTool, ToolTable } from '../lambdas/protocol/define-tool.ts';
import { authenticationFor } from './auth/index.ts';
import { provideEncryptionKey } from './edge/encryption-key.ts';
import { LargeResults } from './large-results.ts';
import { McpApi } from './mcp-api.ts';
import { McpEndpoint } from './mcp-endpoint.ts';
import { Census } from './observability/census.ts';
import { Observability } from './observability/index.ts';
import { Reconciler } from './reconciler.ts';
import { RequestStateKey } from './request-state-key.ts';
import { provideSettings, type Settings } from './settings.ts';
import { Starter } from './starter.ts';
import { TaskTable } from './task-table.ts';
import { TaskWorkflow } from './task-workflow.ts';
import type { Workflow, WorkflowTable } from './workflow-kit/index.ts';

export interface McpTasksStackProps<Tools extends ToolTable> extends StackProps {
  settings: Settings;
  tools: Tools;
  workflows: WorkflowTable<Tools>;
  /** Source file of the endpoint's handler: it serves the same tools. */
  endpointEntry: string;
}

/** An MCP server whose long tools are Step Functions workflows. */
export class McpTasksStack<Tools extends ToolTable> extends Stack {
  constructor(scope: Construct, id: string, props: McpTasksStackProps<Tools>) {
    super(scope, id, props);
    provideSettings(this, props.settings);
    provideEncryptionKey(this);

    const taskTable = new TaskTable(this, 'Tasks');
    const largeResults = new LargeResults(this, 'Large results', Object.values<AnyTool>(props.tools));
    const stateMachines = Object.fromEntries(
      taskWorkflows(props).map(({ name, ...tool }) => {
        const { stateMachine } = new TaskWorkflow(this, name, { ...tool, taskTable, largeResults });
        return [name, stateMachine];
      }),
    );
    const reconciler = new Reconciler(this, 'Reconciler', {
      taskTable,
      stateMachines: Object.values(stateMachines),
    });
    const starter =
      props.settings.startTasks === 'queued'
        ? new Starter(this, 'Starter', { taskTable, stateMachines })
        : undefined;
    const endpoint = new McpEndpoint(this, 'Endpoint', {
      entry: props.endpointEntry,
      taskTable,
      largeResults,
      stateMachines,
    });
    if (Object.values<AnyTool>(props.tools).some(({ requestState }) => requestState)) {
      new RequestStateKey(this, 'RequestStateKey').bindTo(endpoint);
    }
    const api = new McpApi(this, 'Api', {
      endpoint: endpoint.served,
      authentication: authenticationFor(this),
    });

    const { alarms, censusMinutes } = props.settings;
    if (censusMinutes > 0) new Census(this, 'Census', { taskTable });
    if (alarms) {
      const { handler, deadLetters } = reconciler;
      new Observability(this, 'Observability', {
        ...{ api, endpoint, taskTable, stateMachines, deadLetters, reconciler: handler, starter },
      });
    }

    new CfnOutput(this, 'McpUrl', { value: api.mcpUrl, description: 'Connect MCP clients to this URL.' });
    new CfnOutput(this, 'TaskTable', { value: taskTable.tableName });
  }
}

/** Task tools with their workflows. The tables' types see to it that none is missing. */
const taskWorkflows = <Tools extends ToolTable>({ tools, workflows }: McpTasksStackProps<Tools>) =>
  Object.entries<AnyTool>(tools).flatMap(([name, tool]) =>
    tool.kind === 'task' ? [{ name, tool, workflow: (workflows as Record<string, Workflow>)[name]! }] : [],
  );

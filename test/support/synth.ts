import { App, Stack, type CfnElement } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import cdkJson from '../../cdk.json';
import type { TaskTool, ToolTable } from '../../lambdas/protocol/define-tool.ts';
import { McpTasksStack } from '../../lib/mcp-tasks-stack.ts';
import { parseSettings, provideSettings } from '../../lib/settings.ts';
import { LargeResults } from '../../lib/large-results.ts';
import { TaskTable } from '../../lib/task-table.ts';
import { TaskWorkflow } from '../../lib/task-workflow.ts';
import type { Workflow, WorkflowTable } from '../../lib/workflow-kit/index.ts';
import { tools } from '../../tools/index.ts';
import { workflows } from '../../tools/workflows.ts';
import { asText, reading, type Definition, type Synthesized } from './template.ts';

const newApp = (): App =>
  new App({
    context: {
      ...cdkJson.context,
      'aws:cdk:bundling-stacks': [],
      // Where each construct was made: nobody reads it here.
      'aws:cdk:disable-stack-trace': true,
    },
  });

/** One tool's state machine alone: quicker than a whole stack. */
export const synthWorkflow = (tool: TaskTool, workflow: Workflow) => {
  const stack = new Stack(newApp(), 'Test');
  provideSettings(stack, parseSettings({ auth: 'none' }));
  const taskTable = new TaskTable(stack, 'Tasks');
  const { stateMachine } = new TaskWorkflow(stack, 'tool', {
    tool,
    workflow,
    taskTable,
    largeResults: new LargeResults(stack, 'Large results', [tool]),
  });
  const { definitionString } = stateMachine.node.defaultChild as CfnStateMachine;
  return {
    taskTable: stack.getLogicalId(taskTable.node.defaultChild as CfnElement),
    definition: JSON.parse(asText(stack.resolve(definitionString))) as Definition,
  };
};

/** A stack of these tools, without bundling any code. */
export const synthStack = <Tools extends ToolTable>(
  tables: { tools: Tools; workflows: WorkflowTable<Tools> },
  settings: Record<string, unknown> = {},
): Synthesized =>
  reading(
    Template.fromStack(
      new McpTasksStack(newApp(), 'Test', {
        ...tables,
        settings: parseSettings({ auth: 'none', ...settings }),
        endpointEntry: 'lambdas/mcp/handler.ts',
      }),
    ).toJSON(),
  );

/** The stack of this template itself, before it is a template. */
export const stackOf = (settings: Record<string, unknown>): Stack =>
  new McpTasksStack(newApp(), 'Test', {
    tools,
    workflows,
    settings: parseSettings(settings),
    endpointEntry: 'lambdas/mcp/handler.ts',
  });

const synthesized = new Map<string, Synthesized>();

/** The stack of this template with other settings, without bundling any code; made once for each. */
export const synthApp = (settings: Record<string, unknown>): Synthesized => {
  const key = JSON.stringify(settings);
  const made = synthesized.get(key) ?? synthStack({ tools, workflows }, settings);
  synthesized.set(key, made);
  return made;
};

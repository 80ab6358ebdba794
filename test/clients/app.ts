import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { McpTasksStack } from '../../lib/mcp-tasks-stack.ts';
import { contextNames, parseSettings } from '../../lib/settings.ts';
import { tools } from './tools.ts';
import { workflows } from './workflows.ts';

/** The template with one tool more, made as `bin/app.ts` makes it. */
const app = new App();
const context = Object.fromEntries(contextNames.map((name) => [name, app.node.tryGetContext(name)]));
new McpTasksStack(app, 'Clients', {
  settings: parseSettings(context),
  tools,
  workflows,
  endpointEntry: join(import.meta.dirname, 'handler.ts'),
});

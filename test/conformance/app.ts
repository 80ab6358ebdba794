import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { McpTasksStack } from '../../lib/mcp-tasks-stack.ts';
import { contextNames, parseSettings } from '../../lib/settings.ts';
import { tools } from './fixtures/index.ts';
import { workflows } from './fixtures/workflows.ts';

/** The stack of the template, with the tools that the official suite wants to find. Never deployed. */
const app = new App();
new McpTasksStack(app, 'Conformance', {
  settings: parseSettings(
    Object.fromEntries(contextNames.map((name) => [name, app.node.tryGetContext(name)])),
  ),
  tools,
  workflows,
  endpointEntry: join(import.meta.dirname, 'handler.ts'),
});

import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { McpTasksStack } from '../lib/mcp-tasks-stack.ts';
import { contextNames, parseSettings, SettingsError } from '../lib/settings.ts';
import { tools } from '../tools/index.ts';
import { workflows } from '../tools/workflows.ts';

const app = new App();

const readSettings = () => {
  try {
    return parseSettings(
      Object.fromEntries(contextNames.map((name) => [name, app.node.tryGetContext(name)])),
    );
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    // For a person to read and mend: no stack trace.
    console.error(error.message);
    process.exit(1);
  }
};

const settings = readSettings();
new McpTasksStack(app, settings.stackName, {
  settings,
  tools,
  workflows,
  endpointEntry: join(import.meta.dirname, '../lambdas/mcp/handler.ts'),
});

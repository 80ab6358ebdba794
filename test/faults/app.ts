import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { McpTasksStack } from '../../lib/mcp-tasks-stack.ts';
import { parseSettings } from '../../lib/settings.ts';
import { tools } from './tools.ts';
import { workflows } from './workflows.ts';

// The template's stack with tools that a test drives, and with times that a test can wait for.
new McpTasksStack(new App(), 'Faults', {
  settings: {
    ...parseSettings({ auth: 'none', streaming: 'false' }),
    staleTaskSeconds: 0.3,
    taskRetentionMinutes: 3 / 60,
    largestInlineResultBytes: 1_000_000,
  },
  tools,
  workflows,
  endpointEntry: join(import.meta.dirname, 'handler.ts'),
});

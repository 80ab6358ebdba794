import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { McpTasksStack } from '../../lib/mcp-tasks-stack.ts';
import { parseSettings } from '../../lib/settings.ts';
import { tools } from '../faults/tools.ts';
import { workflows } from '../faults/workflows.ts';

// The tools of test/faults with a queue in front of them.
new McpTasksStack(new App(), 'Queue', {
  settings: {
    ...parseSettings({ auth: 'none', streaming: 'false', startTasks: 'queued' }),
    staleTaskSeconds: 0.3,
  },
  tools,
  workflows,
  endpointEntry: join(import.meta.dirname, '../faults/handler.ts'),
});

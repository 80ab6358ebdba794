import assert from 'node:assert/strict';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { stackOutputs, type StackOutputs } from '../../scripts/stack-outputs.ts';
import { connect } from '../../local/mcp-client.ts';
import type { Target } from '../scenarios/target.ts';
import { pollUntil, rpc } from '../support/tasks-client.ts';

export interface Deployment {
  target: Target;
  outputs: StackOutputs;
  /** The same stack with another setting. */
  deployAgain(): Promise<void>;
  destroy(): Promise<void>;
}

/** What takes a real deployment to see, in this order: the last one takes the stack away. */
export const checks = ({ target, outputs, deployAgain, destroy }: Deployment) => ({
  async 'a task goes on while the stack is deployed again, and stays readable'() {
    const { result } = await rpc(target.mcpUrl, 'tools/call', {
      name: 'countdown',
      arguments: { seconds: 15 },
    });
    const taskId = String(result?.['taskId']);
    await deployAgain();
    assert.deepEqual(await stackOutputs('McpTasks'), outputs, 'an upgrade moves nothing');
    assert.equal(await serverVersion(target), '0.2.0');
    const task = await pollUntil(target.mcpUrl, taskId, 'completed');
    assert.equal(task['result'].content[0].text, 'Lift-off after 15 seconds.');
  },

  async 'cdk destroy leaves no table and no state machine behind'() {
    await destroy();
    const { TableNames } = await new DynamoDBClient().send(new ListTablesCommand());
    const { stateMachines } = await new SFNClient().send(new ListStateMachinesCommand());
    assert.deepEqual(TableNames, []);
    assert.deepEqual(stateMachines, []);
  },
});

const serverVersion = async ({ mcpUrl, headers }: Target): Promise<string | undefined> => {
  const { client, close } = await connect(mcpUrl, { headers });
  const version = client.getServerVersion()?.version;
  await close();
  return version;
};

import assert from 'node:assert/strict';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DescribeStateMachineCommand, ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { stackOutputs, type StackOutputs } from '../../scripts/stack-outputs.ts';
import { connect } from '../../local/mcp-client.ts';
import { seed } from '../../tools/run_migration/demo/records.ts';
import type { Target } from '../scenarios/target.ts';
import { pollUntil, rpc } from '../support/tasks-client.ts';
import { probes } from './probes.ts';

export interface Deployment {
  target: Target;
  outputs: StackOutputs;
  /** The same stack with another setting. */
  deployAgain(): Promise<void>;
  destroy(): Promise<void>;
}

/** What takes a real deployment to see, in this order: the last one takes the stack away. */
export const checks = ({ target, outputs, deployAgain, destroy }: Deployment) => ({
  ...Object.fromEntries(
    Object.entries(probes).map(([claim, probe]) => [
      `probe, ${probe.works ? 'works' : 'missing'}: ${claim}`,
      async () => {
        const lab = { ...(await parts()), throwingInput: UNKNOWN_MIGRATION };
        assert.equal(await probe.try(lab), probe.works, 'mend probes.ts and the table in docs/emulator.md');
      },
    ]),
  ),

  async 'a task waits across a second deployment, and goes on with the answer'() {
    await seed(target.documents, target.recordsTable);
    const call = { name: 'run_migration', arguments: { migration: 'retire_free_plan' } };
    const { result } = await rpc(target.mcpUrl, 'tools/call', call);
    const taskId = String(result?.['taskId']);
    await pollUntil(target.mcpUrl, taskId, 'input_required');
    await deployAgain();
    assert.deepEqual(await stackOutputs('McpTasks'), outputs, 'an upgrade moves nothing');
    assert.equal(await serverVersion(target), '0.2.0');
    const { inputRequests } = await pollUntil(target.mcpUrl, taskId, 'input_required');
    const inputResponses = { [Object.keys(inputRequests)[0]!]: { action: 'decline' } };
    await rpc(target.mcpUrl, 'tasks/update', { taskId, inputResponses });
    const task = await pollUntil(target.mcpUrl, taskId, 'completed');
    assert.equal(task['result'].structuredContent.outcome, 'declined');
  },

  async 'cdk destroy leaves nothing behind'() {
    await destroy();
    const { TableNames } = await new DynamoDBClient().send(new ListTablesCommand());
    const { stateMachines } = await new SFNClient().send(new ListStateMachinesCommand());
    assert.deepEqual(TableNames, []);
    // The probes made some of their own.
    assert.deepEqual(
      stateMachines?.filter(({ name }) => !name?.startsWith('probe-')),
      [],
    );
  },
});

const UNKNOWN_MIGRATION = { task: { id: 'probe' }, input: { migration: 'drop_everything' } };

/** What the stack is made of, as far as the probes need it. */
const parts = async () => {
  const { TableNames = [] } = await new DynamoDBClient().send(new ListTablesCommand());
  const sfn = new SFNClient();
  const { stateMachines = [] } = await sfn.send(new ListStateMachinesCommand());
  const { stateMachineArn } = stateMachines.find(({ name }) => name!.includes('runmigration'))!;
  const { definition } = await sfn.send(new DescribeStateMachineCommand({ stateMachineArn }));
  return {
    taskTable: TableNames.find((name) => name.includes('Tasks0'))!,
    throwingFunction: /"(arn:aws:lambda:[^"]*Plan[^"]*)"/.exec(definition!)![1]!,
  };
};

const serverVersion = async ({ mcpUrl, headers }: Target): Promise<string | undefined> => {
  const { client, close } = await connect(mcpUrl, { headers });
  const version = client.getServerVersion()?.version;
  await close();
  return version;
};

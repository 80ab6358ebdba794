import assert from 'node:assert/strict';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DescribeStateMachineCommand, ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { ListBucketsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { stackOutputs, type StackOutputs } from '../../scripts/stack-outputs.ts';
import { connect } from '../../local/mcp-client.ts';
import { seed } from '../../tools/run_migration/demo/records.ts';
import type { Target } from '../scenarios/target.ts';
import { conformance } from './conformance.ts';
import { probes, type Lab } from './probes.ts';

export interface Deployment {
  stack: string;
  target: Target;
  outputs: StackOutputs;
  /** A second client of the stack's user pool, which the first deployment could not know. */
  otherClient: string;
  cdk(...args: string[]): Promise<void>;
  /** A script of package.json, with its output on the screen. */
  npmRun(...args: string[]): Promise<void>;
}

type Tests = Record<string, () => Promise<void>>;

/** What takes a real deployment to see, in this order: the last one takes the stacks away. */
export const checks = (deployment: Deployment): Tests => ({
  'a task waits across a second deployment, and goes on with the answer': () => upgrade(deployment),
  'npm run test:deployed': () =>
    deployment.npmRun(
      'test:deployed',
      '--',
      ...['--stack', deployment.stack, '--other-client', deployment.otherClient],
    ),
  ...conformance(deployment.cdk),
  ...probeTests(deployment),
  'cdk destroy leaves nothing behind': () => destroy(deployment),
});

const upgrade = async ({ stack, target, outputs, otherClient, cdk }: Deployment): Promise<void> => {
  await seed(target.documents, target.recordsTable);
  const { session, close } = await connect(target.mcpUrl, {
    headers: target.headers,
    async onQuestion() {
      await cdk('deploy', '-c', 'serverVersion=0.2.0', '-c', `clientIds=${otherClient}`);
      assert.deepEqual(await stackOutputs(stack), outputs, 'an upgrade moves nothing');
      assert.equal(await serverVersion(target), '0.2.0');
      return { action: 'decline' } as never;
    },
  });
  const execution = await session.callTool('run_migration', { migration: 'retire_free_plan' });
  const { outcome } = await execution.settle();
  const result = resultFromTaskOutcome(outcome) as { structuredContent?: { outcome?: string } };
  assert.equal(result.structuredContent?.outcome, 'declined');
  await close();
};

const probeTests = ({ stack }: Deployment): Tests =>
  Object.fromEntries(
    Object.entries(probes).map(([claim, probe]) => [
      `probe, ${probe.works ? 'works' : 'missing'}: ${claim}`,
      async () => {
        const works = await probe.try(await lab(stack));
        assert.equal(works, probe.works, 'mend probes.ts and the table in docs/emulator.md');
      },
    ]),
  );

const UNKNOWN_MIGRATION = { task: { id: 'probe' }, input: { migration: 'drop_everything' } };

const lab = async (stack: string): Promise<Lab> => {
  const sfn = new SFNClient();
  const { stateMachines = [] } = await sfn.send(new ListStateMachinesCommand());
  const { stateMachineArn } = stateMachines.find(({ name }) => name!.includes('runmigration'))!;
  const { definition } = await sfn.send(new DescribeStateMachineCommand({ stateMachineArn }));
  return {
    taskTable: (await stackOutputs(stack))['TaskTable']!,
    throwingFunction: /"(arn:aws:lambda:[^"]*Plan[^"]*)"/.exec(definition!)![1]!,
    throwingInput: UNKNOWN_MIGRATION,
  };
};

const destroy = async ({ cdk }: Deployment): Promise<void> => {
  const s3 = new S3Client({ forcePathStyle: true });
  const resultBuckets = async (): Promise<string[]> => {
    const { Buckets = [] } = await s3.send(new ListBucketsCommand());
    // The other one is the CDK's own, and of every stack.
    return Buckets.map(({ Name }) => Name!).filter((name) => !name.startsWith('cdk-'));
  };
  const [Bucket] = await resultBuckets();
  await s3.send(new PutObjectCommand({ Bucket, Key: 'a large result', Body: 'large' }));
  await cdk('destroy', '--force');
  assert.deepEqual(await resultBuckets(), []);
  const { TableNames } = await new DynamoDBClient().send(new ListTablesCommand());
  const { stateMachines } = await new SFNClient().send(new ListStateMachinesCommand());
  assert.deepEqual(TableNames, []);
  // The probes made some of their own.
  assert.deepEqual(
    stateMachines?.filter(({ name }) => !name?.startsWith('probe-')),
    [],
  );
};

const serverVersion = async ({ mcpUrl, headers }: Target): Promise<string | undefined> => {
  const { client, close } = await connect(mcpUrl, { headers });
  const version = client.getServerVersion()?.version;
  await close();
  return version;
};

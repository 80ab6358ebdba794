import assert from 'node:assert/strict';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { stackOutputs, type StackOutputs } from '../../scripts/stack-outputs.ts';
import { connect } from '../../local/mcp-client.ts';
import { seed } from '../../tools/run_migration/demo/records.ts';
import type { Target } from '../scenarios/target.ts';
import { conformance } from './conformance.ts';
import { emptiesResults } from './empties-results.ts';
import { probes, type Lab } from './probes.ts';
import { physicalId } from './stack-resources.ts';

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
  'the bucket of results is emptied when it has to be': () => emptiesResults(deployment.stack),
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

/** They wait more than they work, so all of them begin with the first. */
const probeTests = ({ stack }: Deployment): Tests => {
  let begun: Promise<Record<string, Promise<boolean>>> | undefined;
  return Object.fromEntries(
    Object.entries(probes).map(([claim, probe]) => [
      `probe, ${probe.works ? 'works' : 'missing'}: ${claim}`,
      async () => {
        const works = await (await (begun ??= beginProbes(stack)))[claim];
        assert.equal(works, probe.works, 'mend probes.ts and the table in docs/emulator.md');
      },
    ]),
  );
};

const beginProbes = async (stack: string): Promise<Record<string, Promise<boolean>>> => {
  const subject = await lab(stack);
  return Object.fromEntries(
    Object.entries(probes).map(([claim, probe]) => {
      const result = probe.try(subject);
      // Whoever waits for it hears of its failure; until then nobody does.
      result.catch(() => undefined);
      return [claim, result];
    }),
  );
};

const UNKNOWN_MIGRATION = { task: { id: 'probe' }, input: { migration: 'drop_everything' } };

const lab = async (stack: string): Promise<Lab> => ({
  taskTable: (await stackOutputs(stack))['TaskTable']!,
  resultBucket: await physicalId(stack, 'AWS::S3::Bucket'),
  throwingFunction: functionArn(await physicalId(stack, 'AWS::Lambda::Function', /Plan/)),
  throwingInput: UNKNOWN_MIGRATION,
});

const functionArn = (name: string): string => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;

const destroy = async ({ cdk }: Deployment): Promise<void> => {
  await cdk('destroy', '--force');
  const { TableNames } = await new DynamoDBClient().send(new ListTablesCommand());
  const { stateMachines } = await new SFNClient().send(new ListStateMachinesCommand());
  const { Buckets } = await new S3Client().send(new ListBucketsCommand());
  assert.deepEqual(TableNames, []);
  // The probes made some of their own, and the bootstrap a bucket.
  assert.deepEqual(
    stateMachines?.filter(({ name }) => !name?.startsWith('probe-')),
    [],
  );
  assert.deepEqual(
    Buckets?.filter(({ Name }) => !Name?.startsWith('cdk-')),
    [],
  );
};

const serverVersion = async ({ mcpUrl, headers }: Target): Promise<string | undefined> => {
  const { client, close } = await connect(mcpUrl, { headers });
  const version = client.getServerVersion()?.version;
  await close();
  return version;
};

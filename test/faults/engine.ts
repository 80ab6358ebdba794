import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { readAssembly } from '../../local/synth.ts';
import { useEngine, type TestEngine } from '../support/engine.ts';

/** An engine with the tools of this directory. */
export const useFaultsEngine = (): TestEngine =>
  useEngine({}, async () => readAssembly(process.env['FAULTS_ASSEMBLY']!));

/** A task's record as the table holds it. */
export const recordOf = async (engine: TestEngine, taskId: string): Promise<Record<string, unknown>> => {
  const { Item } = await engine.documents.send(
    new GetCommand({
      TableName: engine.table('Tasks'),
      Key: { pk: `public#${taskId}` },
      ConsistentRead: true,
    }),
  );
  if (Item === undefined) throw new Error(`There is no record of ${taskId}`);
  return Item;
};

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Engine } from '../local/engine.ts';
import { costRuns } from '../tools/cost-runs.ts';
import { seed } from '../tools/run_migration/demo/records.ts';
import { measure, type Run, type Usage } from './measure.ts';

/** Every run of tools/cost-runs.ts, in order, on a fresh engine. */
export const measureAll = async (engine: Engine): Promise<Record<string, Usage>> => {
  const credentials = { accessKeyId: 'measure', secretAccessKey: 'measure' };
  const client = new DynamoDBClient({ endpoint: engine.awsEndpoint, region: 'us-east-1', credentials });
  await seed(
    DynamoDBDocumentClient.from(client),
    engine.tableNames.find((name) => name.includes('Records'))!,
  );
  client.destroy();
  const usages: Record<string, Usage> = {};
  for (const [name, run] of Object.entries<Run>(costRuns)) usages[name] = await measure(engine, run);
  return usages;
};

import { afterAll, beforeAll } from '@jest/globals';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SFNClient } from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { startEngine, type Engine, type EngineOptions } from '../../local/engine.ts';
import { readAssembly, type Assembly } from '../../local/synth.ts';

export interface TestEngine extends Engine {
  documents: DynamoDBDocumentClient;
  stepFunctions: SFNClient;
  /** Physical name of the table whose logical id contains the word. */
  table(word: string): string;
  /** What the functions logged, line by line. */
  logs: string[];
}

/** Starts an engine for the suite and stops it after the last test. The value is there once the tests run. */
export const useEngine = (
  options: Partial<EngineOptions> = {},
  assembly?: () => Promise<Assembly>,
): TestEngine => {
  const engine = {} as TestEngine;
  const logs: string[] = [];

  beforeAll(async () => {
    const started = await startEngine({
      assembly: (await assembly?.()) ?? readAssembly(process.env['TEST_ASSEMBLY']!),
      log: (_, line) => logs.push(line),
      // By test/local/definitions.test.ts, for all suites.
      definitionsChecked: true,
      ...options,
    });
    const aws = {
      endpoint: started.awsEndpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    };
    Object.defineProperties(engine, Object.getOwnPropertyDescriptors(started));
    Object.assign(engine, {
      documents: DynamoDBDocumentClient.from(new DynamoDBClient(aws)),
      stepFunctions: new SFNClient(aws),
      table: (word: string) => started.tableNames.find((name) => name.includes(word))!,
      logs,
    });
    // Synthesising an app of one's own takes a while on a busy machine.
  }, 120_000);

  afterAll(async () => {
    engine.documents?.destroy();
    engine.stepFunctions?.destroy();
    await engine.close?.();
  });

  return engine;
};

import { GetExecutionHistoryCommand, SFNClient } from '@aws-sdk/client-sfn';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Engine } from '../local/engine.ts';
import { connect } from '../local/mcp-client.ts';
import type { TaskRecord } from '../lambdas/protocol/task.ts';

/** What one task took, as AWS would bill it. Polls beyond those that are needed are counted by nobody here. */
export interface Usage {
  /** Requests to the API that a client cannot do without: the call, a look at each question, answers, a look at the end. */
  requests: number;
  transitions: number;
  /** Runs of the tool's own Lambda steps. */
  steps: number;
  /** Of the task's record. */
  writes: number;
  reads: number;
  /** Calls of the tool's own steps to whatever they work on. */
  own: { writes: number; reads: number };
}

export interface Run {
  tool: string;
  arguments: Record<string, unknown>;
  /** Answers to its questions, in order. */
  answers?: object[];
}

/** Runs one task on the embedded engine and counts. Nothing in it waits for a time, so the counts are always the same. */
export const measure = async (engine: Engine, run: Run): Promise<Usage> => {
  const aws = {
    endpoint: engine.awsEndpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'measure', secretAccessKey: 'measure' },
  };
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient(aws));
  const { client, session, close } = await connect(engine.mcpUrl, { onQuestion: async () => ({}) as never });
  const ended = new Promise<string>((done) => {
    const stop = engine.onExecutionEnd(({ executionArn }) => (stop(), done(executionArn)));
  });
  engine.resetCalls();

  const execution = await session.callTool(run.tool, run.arguments);
  if (execution.kind !== 'task') throw new Error(`${run.tool} did not become a task`);
  let requests = 1;
  for (const answer of run.answers ?? []) {
    const key = await openQuestion(documents, engine, execution.handle.taskId);
    await execution.get();
    await execution.update({ [key]: answer } as never);
    requests += 2;
  }
  const executionArn = await ended;
  await execution.get();
  requests += 1;

  const usage = await count(engine, executionArn, new SFNClient(aws));
  await close();
  void client;
  documents.destroy();
  return { requests, ...usage };
};

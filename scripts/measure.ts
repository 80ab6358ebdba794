import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetExecutionHistoryCommand, SFNClient, type HistoryEvent } from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { AwsCall } from '../local/aws/calls.ts';
import type { Engine } from '../local/engine.ts';
import type { TaskRecord } from '../lambdas/protocol/task.ts';
import { rpc } from '../test/support/tasks-client.ts';

/** What one task took, as AWS would bill it, with no more looks at it than a client needs. */
export interface Usage {
  /** The call, for each question a look and the answer, and a look at the end. */
  requests: number;
  transitions: number;
  /** Runs of the tool's own Lambda steps. */
  steps: number;
  /** Of the task's record. */
  writes: number;
  reads: number;
  /** What the tool's own steps call. */
  own: { writes: number; reads: number };
}

export interface Run {
  tool: string;
  arguments: Record<string, unknown>;
  /** Answers to its questions, one after the other. */
  answers?: object[];
}

/** Runs one task on the embedded engine. Only what ends it is waited for, so the counts are always the same. */
export const measure = async (engine: Engine, run: Run): Promise<Usage> => {
  const clients = clientsOf(engine);
  let requests = 0;
  const request = async (method: string, params: Record<string, unknown>) => {
    requests += 1;
    const { result, error } = await rpc(engine.mcpUrl, method, params);
    if (result === undefined) throw new Error(`${method}: ${error?.message}`);
    return result;
  };
  const ended = new Promise<string>((done) => {
    const stop = engine.onExecutionEnd(({ executionArn }) => {
      stop();
      done(executionArn);
    });
  });
  const reconciled = nextEventServed(engine);

  engine.resetCalls();
  const task = await request('tools/call', { name: run.tool, arguments: run.arguments });
  const taskId = String(task['taskId']);
  for (const answer of run.answers ?? []) {
    await untilAsked(clients.documents, engine, taskId);
    const { inputRequests } = await request('tasks/get', { taskId });
    const [key] = Object.keys(inputRequests);
    await request('tasks/update', { taskId, inputResponses: { [key!]: answer } });
  }
  const executionArn = await ended;
  await request('tasks/get', { taskId });
  await reconciled;
  const events = await historyOf(clients.stepFunctions, executionArn);
  clients.documents.destroy();
  clients.stepFunctions.destroy();
  return { requests, ...countEvents(events), ...countCalls(engine.calls) };
};

const clientsOf = ({ awsEndpoint }: Engine) => {
  const aws = {
    endpoint: awsEndpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'measure', secretAccessKey: 'measure' },
  };
  return {
    documents: DynamoDBDocumentClient.from(new DynamoDBClient(aws)),
    stepFunctions: new SFNClient(aws),
  };
};

/** The reconciler comes after the end, and its write would else count for the next task. */
const nextEventServed = (engine: Engine): Promise<void> =>
  new Promise((done) => {
    const remove = engine.interceptEvents(async (_event, deliver) => {
      await deliver();
      remove();
      done();
    });
  });

/** Looks past the endpoint, so that the waiting costs nothing. */
const untilAsked = async (documents: DynamoDBDocumentClient, engine: Engine, taskId: string) => {
  const TableName = engine.tableNames.find((name) => name.startsWith('Tasks'));
  for (;;) {
    const { Items = [] } = await documents.send(new ScanCommand({ TableName }));
    const task = (Items as TaskRecord[]).find((item) => item.taskId === taskId);
    if (task && Object.keys(task.inputs).length > 0) return;
    await new Promise((done) => setTimeout(done, 20));
  }
};

const historyOf = async (client: SFNClient, executionArn: string): Promise<HistoryEvent[]> => {
  const events: HistoryEvent[] = [];
  let nextToken: string | undefined;
  do {
    const page = await client.send(new GetExecutionHistoryCommand({ executionArn, nextToken }));
    events.push(...page.events!);
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return events;
};

const countEvents = (events: HistoryEvent[]) => ({
  transitions: events.filter(({ stateEnteredEventDetails }) => stateEnteredEventDetails).length,
  steps: events.filter(({ type }) => type === 'LambdaFunctionScheduled').length,
});

const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem'];

/** The endpoint, the workflow and the reconciler touch task records; whoever else calls is a step of the tool's. */
const countCalls = (calls: readonly AwsCall[]) => {
  const count = (isOurs: boolean, isWrite: boolean): number =>
    calls.filter(
      ({ service, operation, caller }) =>
        service === 'dynamodb' &&
        caller !== 'client' &&
        !caller.startsWith('Reconciler') &&
        /^(Endpoint|workflow)/.test(caller) === isOurs &&
        WRITES.includes(operation) === isWrite,
    ).length;
  return {
    writes: count(true, true),
    reads: count(true, false),
    own: { writes: count(false, true), reads: count(false, false) },
  };
};

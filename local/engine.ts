import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AwsCall, AwsCallHook } from './aws/calls.ts';
import type { EventHook } from './events/event-bus.ts';
import type { StreamHook } from './events/event-source.ts';
import { closeServer, listen, portOf, type Serve } from './http.ts';
import { assemble, type Parts } from './parts.ts';
import type { OnExecutionEnd } from './step-functions/step-functions.ts';
import type { Assembly } from './synth.ts';

export interface EngineOptions {
  /** What `synthesize` gave. */
  assembly: Assembly;
  /** 0, the default, takes any free port. */
  port?: number;
  host?: string;
  /** Its state machines are known to be valid States Language: looking takes a third of a second for each. */
  definitionsChecked?: boolean;
  /** Keeps the tables in this directory. Executions are in memory either way. */
  dataDir?: string;
  /** What functions write to stdout and stderr, line by line; what goes wrong in the engine comes from `engine`. */
  log?: (source: string, line: string) => void;
  /** Of a buffered integration; 29 seconds by default, as REST APIs have it. */
  integrationTimeoutMs?: number;
  onAwsCall?: AwsCallHook;
  onExecutionEnd?: OnExecutionEnd;
}

export interface Engine {
  port: number;
  /** The API, served without a stage in the path. */
  url: string;
  mcpUrl: string;
  /** For AWS_ENDPOINT_URL: the same port, DynamoDB and Step Functions alike. */
  awsEndpoint: string;
  tableNames: readonly string[];
  /** Every AWS call since the start or the last reset. */
  readonly calls: readonly AwsCall[];
  resetCalls(): void;
  /** Comes between callers and AWS. Returns how to take the hook out again. */
  interceptAwsCalls(hook: AwsCallHook): () => void;
  /** Comes between EventBridge and its targets. Returns how to take the hook out again. */
  interceptEvents(hook: EventHook): () => void;
  /** Comes between the stream of a table and the function it is mapped to. Returns how to take the hook out again. */
  interceptStream(hook: StreamHook): () => void;
  /** Returns how to stop listening. */
  onExecutionEnd(listener: OnExecutionEnd): () => void;
  /** Ends all of it: sockets, workers, executions, timers. */
  close(): Promise<void>;
}

/**
 * Runs a synthesised template: its tables, functions, state machines and REST APIs, on one port. Requests with an
 * `X-Amz-Target` are AWS calls, all others are for the API.
 * @throws if the port is taken, or the template needs what the engine does not have
 */
export const startEngine = async (options: EngineOptions): Promise<Engine> => {
  const { host = '127.0.0.1', log = () => {} } = options;
  // The functions must be told the port, so the port comes first; who is early waits for the rest.
  let provide!: (serve: Serve) => void;
  const serving = new Promise<Serve>((resolve) => (provide = resolve));
  const server = await listen(
    async (request, response) => logFailure(await serving, log)(request, response),
    options.port ?? 0,
    host,
  );
  const port = portOf(server);
  const url = `http://${host}:${port}`;

  let parts: Parts | undefined;
  try {
    parts = await assemble({ ...options, log, url });
  } catch (error) {
    await closeServer(server);
    throw error;
  }
  const { api, awsEndpoint, calls, close, dynamoDb, events, stepFunctions, streams } = parts;
  provide((request, response) => (awsEndpoint.owns(request) ? awsEndpoint : api).serve(request, response));

  let closed: Promise<void> | undefined;
  return {
    port,
    url,
    mcpUrl: `${url}/mcp`,
    awsEndpoint: url,
    tableNames: dynamoDb.tableNames,
    get calls() {
      return calls.calls;
    },
    resetCalls: () => calls.reset(),
    interceptAwsCalls: (hook) => calls.intercept(hook),
    interceptEvents: (hook) => events.intercept(hook),
    interceptStream: (hook) => streams.intercept(hook),
    onExecutionEnd: (listener) => stepFunctions.onExecutionEnd(listener),
    close: () => (closed ??= Promise.all([closeServer(server), close()]).then(() => {})),
  };
};

const logFailure =
  (serve: Serve, log: NonNullable<EngineOptions['log']>): Serve =>
  async (request: IncomingMessage, response: ServerResponse) => {
    try {
      await serve(request, response);
    } catch (error) {
      // A client that went away while it sent its request is nobody's failure.
      if (!request.destroyed || request.complete) log('engine', String((error as Error)?.stack ?? error));
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    }
  };

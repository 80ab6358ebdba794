import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createTaskSessionFromClient,
  type TaskEnabledSession,
  type V2RequestFraming,
  type WithTasksOptions,
} from '@modelcontextprotocol/ext-tasks/client';
import { dispatchOver, postTo, PROTOCOL_VERSION } from '../examples/client/dispatch.ts';

const CLIENT_INFO = { name: 'serverless-mcp-tasks', version: '0.1.0' };

export interface McpConnection {
  client: Client;
  /** Drives tools that become tasks: polls, answers questions, cancels. */
  session: TaskEnabledSession;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Answers questions. Without one, the official client cancels every elicitation by itself. */
  onQuestion?: WithTasksOptions['onInputRequest'];
  /** Sent with every request, `Authorization` for one. */
  headers?: Record<string, string>;
}

/** The official client with the Tasks extension, as an application would set it up. */
export const connect = async (
  mcpUrl: string,
  { onQuestion, headers = {} }: ConnectOptions = {},
): Promise<McpConnection> => {
  const capabilities: Record<string, Record<string, object>> = onQuestion === undefined
    ? {}
    : { elicitation: { form: {} } };
  const client = new Client(CLIENT_INFO, {
    capabilities,
    versionNegotiation: { mode: { pin: PROTOCOL_VERSION } },
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit: { headers } }));

  const session = createTaskSessionFromClient(client, {
    endpointId: mcpUrl,
    rawDispatch: dispatchOver(postTo(mcpUrl, headers)),
    v2RequestFraming: {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: CLIENT_INFO,
      clientCapabilities: capabilities as V2RequestFraming['clientCapabilities'],
    },
    ...(onQuestion === undefined ? {} : { onInputRequest: onQuestion }),
  });
  return {
    client,
    session,
    async close() {
      await session.close();
      await client.close();
    },
  };
};

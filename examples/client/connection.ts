import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient, type TaskEnabledSession } from '@modelcontextprotocol/ext-tasks/client';
import { dispatchOver, postTo, PROTOCOL_VERSION } from './dispatch.ts';

const CLIENT_INFO = { name: 'task-client-example', version: '1.0.0' };
/** Declared with every request. A server asks only what is declared here, and makes tasks only for the extension. */
const CAPABILITIES = { elicitation: { form: {} } };
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

export interface Connection {
  session: TaskEnabledSession;
  /** A stream of what happens to these tasks. By hand: the packages do not offer it yet. */
  listen(taskIds: string[], signal: AbortSignal): Promise<Response>;
  close(): Promise<void>;
}

export const connect = async (url: string, headers: Record<string, string> = {}): Promise<Connection> => {
  const client = new Client(CLIENT_INFO, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode: { pin: PROTOCOL_VERSION } },
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));

  const post = postTo(url, headers);
  const session = createTaskSessionFromClient(client, {
    endpointId: url,
    rawDispatch: dispatchOver(post),
    v2RequestFraming: {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: CLIENT_INFO,
      clientCapabilities: CAPABILITIES,
    },
  });
  return {
    session,
    listen: (taskIds, signal) => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
        'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
        'io.modelcontextprotocol/clientCapabilities': { ...CAPABILITIES, ...TASKS },
      };
      return post('subscriptions/listen', { notifications: { taskIds }, _meta }, { signal });
    },
    async close() {
      await session.close();
      await client.close();
    },
  };
};

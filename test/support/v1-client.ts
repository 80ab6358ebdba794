import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';

/** The official client of the 2025 revisions, made to speak one of them: by itself it asks for its newest. */
export const connectV1 = async (
  mcpUrl: string,
  revision: string,
  capabilities: ClientCapabilities = {},
): Promise<Client> => {
  const client = new Client({ name: 'v1-client', version: '1.0.0' }, { capabilities });
  const transport = new StreamableHTTPClientTransport(new URL(mcpUrl));
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (!Array.isArray(message) && 'method' in message && message.method === 'initialize') {
      Object.assign(message.params!, { protocolVersion: revision });
    }
    return send(message as never, options);
  };
  await client.connect(transport);
  if (transport.protocolVersion !== revision) throw new Error(`Negotiated ${transport.protocolVersion}`);
  return client;
};

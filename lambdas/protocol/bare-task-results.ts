import type { JSONRPCMessage, McpServer } from '@modelcontextprotocol/server';

const withoutContent = (message: JSONRPCMessage): JSONRPCMessage => {
  if (!('result' in message) || message.result.resultType !== 'task') return message;
  const { content: _, ...result } = message.result;
  return { ...message, result };
};

/**
 * The SDK completes every result of tools/call with `content: []`. A CreateTaskResult has none (SEP-2663), and a
 * client that knows no tasks would read an empty success in it: so it is taken out on the way to the transport.
 */
export const sendTaskResultsBare = (mcp: McpServer): void => {
  const connect = mcp.connect.bind(mcp);
  mcp.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(withoutContent(message), options);
    return connect(transport);
  };
};

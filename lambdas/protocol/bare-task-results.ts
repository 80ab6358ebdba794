import type { JSONRPCMessage, McpServer, Result } from '@modelcontextprotocol/server';

/** Has the last word on every result, on its way to the transport. */
export const editResults = (mcp: McpServer, edit: (result: Result) => Result): void => {
  const connect = mcp.connect.bind(mcp);
  mcp.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message: JSONRPCMessage, options) =>
      send('result' in message ? { ...message, result: edit(message.result) } : message, options);
    return connect(transport);
  };
};

/**
 * The SDK completes every result of tools/call with `content: []`. A CreateTaskResult has none (SEP-2663), and a
 * client that knows no tasks would read an empty success in it: so it is taken out. That of 2025-11-25 holds `task`.
 */
export const sendTaskResultsBare = (mcp: McpServer): void =>
  editResults(mcp, (result) => {
    const isEmpty = Array.isArray(result['content']) && result['content'].length === 0;
    const isTask = result.resultType === 'task' || ('task' in result && isEmpty);
    if (!isTask) return result;
    const { content: _, ...bare } = result;
    return bare;
  });

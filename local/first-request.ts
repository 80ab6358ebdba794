const PROTOCOL = '2026-07-28';

/**
 * A request to copy: lists the tools, as a client of the current protocol revision that can handle tasks.
 * @param tokenUrl where a token can be had, if one is needed
 */
export const firstRequest = (mcpUrl: string, tokenUrl?: string): string => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL,
    'io.modelcontextprotocol/clientInfo': { name: 'curl', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } });
  return [
    `  curl -s ${mcpUrl}`,
    ...(tokenUrl ? [`-H "Authorization: Bearer $(curl -s ${tokenUrl})"`] : []),
    `-H 'Content-Type: application/json'`,
    `-H 'Accept: application/json, text/event-stream'`,
    `-H 'MCP-Protocol-Version: ${PROTOCOL}'`,
    `-H 'Mcp-Method: tools/list'`,
    `-d '${body}'`,
  ].join(' \\\n    ');
};

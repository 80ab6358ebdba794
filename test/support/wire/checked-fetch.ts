/**
 * Every answer that the MCP endpoint gives in this test suite is checked in passing, whoever asked: the official
 * client, a test by hand, a helper. What is wrong on the wire fails the request that got it.
 */
const unchecked = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const response = await unchecked(input, init);
  if (!isMcp(input, init)) return response;
  // Loaded here, since most suites make no request at all.
  const { checkedResponse } = await import('./checked-response.ts');
  return checkedResponse(init!.body as string, response);
};

const isMcp = (input: Parameters<typeof fetch>[0], init?: RequestInit): boolean => {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  return pathname.endsWith('/mcp') && init?.method === 'POST' && typeof init.body === 'string';
};

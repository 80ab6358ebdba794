import type { McpFetch } from '../protocol/mcp-fetch.ts';

export interface Allowed {
  /** Web pages that may call, by their origins. A request without an `Origin` does not come from a page. */
  origins: string[];
}

/**
 * Answers 403 to a page that has no business here (basic/transports/streamable-http, Security Warning), and lets a
 * listed one read what it is answered. Tokens are in a header and not in a cookie, so that nobody else's page could
 * send one; the list keeps pages out all the same, where a server is open and on this machine.
 */
export const refuseForeign =
  (serve: McpFetch, { origins }: Allowed): McpFetch =>
  async (request, call) => {
    const origin = request.headers.get('origin');
    if (origin === null) return serve(request, call);
    if (!origins.includes(origin)) {
      const error = { code: -32000, message: `This server does not take requests from pages of ${origin}` };
      return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 403 });
    }
    const response = await serve(request, call);
    const headers = new Headers(response.headers);
    headers.set('Access-Control-Allow-Origin', origin);
    headers.append('Vary', 'Origin');
    return new Response(response.body, { status: response.status, headers });
  };

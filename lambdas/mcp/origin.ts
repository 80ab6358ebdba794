import { hostHeaderValidationResponse, originValidationResponse } from '@modelcontextprotocol/server';
import type { McpFetch } from '../protocol/mcp-fetch.ts';

export interface Allowed {
  /** Web pages that may call, by their origins. A request without an `Origin` does not come from a page. */
  origins: string[];
  /**
   * Hostnames the server goes by; a page on one of them may call as well, whatever its port. Undefined where whoever
   * delivers requests has looked at the host already.
   */
  hosts?: string[];
}

/**
 * Answers 403 to a page that has no business here (basic/transports/streamable-http, Security Warning): told by its
 * origin, and by the host it believes to talk to, which gives DNS rebinding away. A page that may call may also read
 * what it is answered.
 */
export const refuseForeign =
  (serve: McpFetch, { origins, hosts }: Allowed): McpFetch =>
  async (request, call) => {
    const wrongHost = hosts && hostHeaderValidationResponse(request, hosts);
    if (wrongHost) return wrongHost;
    const origin = request.headers.get('origin');
    const isListed = origins.includes(origin ?? '');
    const foreign = isListed ? undefined : originValidationResponse(request, hosts ?? []);
    if (foreign) return foreign;
    const response = await serve(request, call);
    return origin === null ? response : readableBy(origin, response);
  };

const readableBy = (origin: string, response: Response): Response => {
  const headers = new Headers(response.headers);
  headers.set('Access-Control-Allow-Origin', origin);
  headers.append('Vary', 'Origin');
  return new Response(response.body, { status: response.status, headers });
};

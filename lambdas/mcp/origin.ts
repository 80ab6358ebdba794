import { hostHeaderValidationResponse, originValidationResponse } from '@modelcontextprotocol/server';
import type { McpFetch } from '../protocol/mcp-fetch.ts';

export interface Allowed {
  /** Hostnames of web pages; a request without an `Origin` does not come from one. */
  origins: string[];
  /** Hostnames of the server; undefined where whatever delivers the request has looked already. */
  hosts?: string[];
}

/**
 * Answers 403 to a page that has no business here (basic/transports/streamable-http, Security Warning): by its
 * origin, and by the host it believes to talk to, which is how DNS rebinding shows.
 */
export const refuseForeign =
  (serve: McpFetch, { origins, hosts }: Allowed): McpFetch =>
  async (request, call) =>
    (hosts && hostHeaderValidationResponse(request, hosts)) ??
    originValidationResponse(request, origins) ??
    serve(request, call);

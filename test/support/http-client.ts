import { mcpRequest, send, type Answer } from './wire/request.ts';

/** One request of the 2026-07-28 revision, as it goes over the wire. Header values of null are left out. */
export const postMcp = (
  mcpUrl: string,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string | null> = {},
): Promise<Answer> => {
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value ?? undefined]));
  return send(mcpUrl, mcpRequest(method, params, { headers: sent }));
};

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

import { localhostAllowedHostnames } from '@modelcontextprotocol/server';
import { AUDIENCE, SCOPE, type LocalIssuer } from './issuer.ts';

/** Where the MCP Inspector runs: the page that a developer's browser is likely to come from. */
const INSPECTOR = 'http://localhost:6274';

/**
 * The settings of a stack that runs on this machine. It listens to this machine alone and takes every caller,
 * or the tokens of the local issuer if there is one.
 */
export const localContext = (issuer?: Pick<LocalIssuer, 'url'>): Record<string, unknown> => ({
  allowedHosts: localhostAllowedHostnames(),
  allowedOrigins: INSPECTOR,
  ...(issuer
    ? { auth: 'jwt', jwtIssuer: issuer.url, jwtAudience: AUDIENCE, jwtScopes: SCOPE }
    : { auth: 'none' }),
});

import type { CacheHint, McpServer, ServerOptions } from '@modelcontextprotocol/server';
import { answerErrors, type Log } from './errors.ts';

/**
 * Registers what a server has besides tools. Called for every request, so it does no work itself. Prompts and
 * resources may ask (`inputRequired(…)`), but only tools keep state between rounds.
 */
export type Register = (mcp: Pick<McpServer, 'registerPrompt' | 'registerResource'>) => void;

export interface Features {
  prompts?: Register;
  resources?: Register;
  log: Log;
}

export const registerFeatures = (mcp: McpServer, { prompts, resources, log }: Features): void => {
  const { server } = mcp;
  const { setRequestHandler } = server;
  // The SDK would give the caller the message of whatever a prompt or a resource throws: an AWS error's has ARNs.
  server.setRequestHandler = ((method: 'prompts/get', handler: (...args: unknown[]) => Promise<never>) =>
    setRequestHandler.bind(server)(method, answerErrors(log)(handler))) as typeof setRequestHandler;
  prompts?.(mcp);
  resources?.(mcp);
  server.setRequestHandler = setRequestHandler;

  // The SDK announces changes of what is registered; behind an API that buffers nobody could be told.
  const capabilities = server.getCapabilities();
  server.registerCapabilities({
    ...(capabilities.prompts && { prompts: { listChanged: false } }),
    ...(capabilities.resources && { resources: { listChanged: false } }),
  });
};

/** Lists and the server's description are the same for every caller, and change only with a deployment. */
export const listCaching = (hint: CacheHint | undefined): ServerOptions['cacheHints'] =>
  hint && {
    'server/discover': hint,
    'tools/list': hint,
    'prompts/list': hint,
    'resources/list': hint,
    'resources/templates/list': hint,
  };

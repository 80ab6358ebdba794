import { endpointFor } from '../../lambdas/mcp/endpoint.ts';
import { handlers } from '../../tools/handlers.ts';
import { tools } from './tools.ts';

export const handler = endpointFor(tools, handlers);

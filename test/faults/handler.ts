import { endpointFor } from '../../lambdas/mcp/endpoint.ts';
import { tools } from './tools.ts';

export const handler = endpointFor(tools, {});

import { endpointFor } from '../../lambdas/mcp/endpoint.ts';
import { handlers } from './fixtures/handlers.ts';
import { tools } from './fixtures/index.ts';
import { prompts } from './fixtures/prompts.ts';
import { resources } from './fixtures/resources.ts';

export const handler = endpointFor(tools, handlers, { prompts, resources });

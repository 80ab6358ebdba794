import { handlers } from '../../tools/handlers.ts';
import { tools } from '../../tools/index.ts';
import { prompts } from '../../tools/prompts.ts';
import { resources } from '../../tools/resources.ts';
import { endpointFor } from './endpoint.ts';

export const handler = endpointFor(tools, handlers, { prompts, resources });

import { handlers } from '../../tools/handlers.ts';
import { tools } from '../../tools/index.ts';
import { endpointFor } from './endpoint.ts';

export const handler = endpointFor(tools, handlers);

import type { Functions } from '../lambda/functions.ts';
import type { Callbacks } from './callbacks.ts';
import type { Integration } from './integrations/integration.ts';

/** What states need from outside the machine. */
export interface Services {
  functions: Functions;
  callbacks: Callbacks;
  integrations: readonly Integration[];
}

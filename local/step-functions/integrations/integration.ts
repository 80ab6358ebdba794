import type { Json } from '../json.ts';
import type { Services } from '../services.ts';

/** How a Task state's Resource is served. */
export interface Integration {
  /** @param action the Resource without `.waitForTaskToken` */
  handles(action: string): boolean;
  /** The Resource is a function's ARN: the history then speaks of LambdaFunction… events. */
  direct?: boolean;
  /** @throws StateError as AWS names it */
  call(action: string, parameters: Json, services: Services): Promise<Json>;
}

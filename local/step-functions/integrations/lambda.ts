import { StateError } from '../errors.ts';
import { isObject, type Json } from '../json.ts';
import type { Services } from '../services.ts';
import type { Integration } from './integration.ts';

/** `Resource` is the function's ARN: its input is the state's, its result the state's. */
export const lambdaFunction: Integration = {
  direct: true,
  handles: (action) => /^arn:aws:lambda:[^:]*:[^:]*:function:/.test(action),
  call: invoke,
};

/** `arn:aws:states:::lambda:invoke`. */
export const lambdaInvoke: Integration = {
  handles: (action) => action === 'arn:aws:states:::lambda:invoke',
  call: async (_, parameters, services) => {
    const { FunctionName, Payload = {} } = isObject(parameters) ? parameters : {};
    return {
      ExecutedVersion: '$LATEST',
      Payload: await invoke(String(FunctionName), Payload, services),
      SdkHttpMetadata: { HttpStatusCode: 200 },
      StatusCode: 200,
    };
  },
};

/**
 * A thrown error keeps its name, and its Cause is Lambda's error payload in JSON. A timeout is Sandbox.Timedout:
 * Lambda.Unknown is what older runtimes gave.
 */
async function invoke(functionName: string, payload: Json, { functions }: Services): Promise<Json> {
  const outcome = await found(functions, functionName).invoke(payload);
  if ('error' in outcome) throw new StateError(outcome.error.errorType, JSON.stringify(outcome.error));
  return JSON.parse(outcome.payload) as Json;
}

const found = (functions: Services['functions'], name: string) => {
  try {
    return functions.get(name);
  } catch (error) {
    throw new StateError('Lambda.ResourceNotFoundException', (error as Error).message);
  }
};

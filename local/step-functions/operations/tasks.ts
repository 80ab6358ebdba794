import type { Operation } from '../api.ts';
import { ApiError } from '../api-error.ts';
import { StateError } from '../errors.ts';
import type { Json } from '../json.ts';
import type { StepFunctions } from '../step-functions.ts';
import { isJson, text } from './wire.ts';

export const taskOperations = ({ callbacks }: StepFunctions): Record<string, Operation> => ({
  SendTaskSuccess(input) {
    const token = text(input, 'taskToken', 2048);
    const output = text(input, 'output', 262_144);
    if (!isJson(output)) throw new ApiError('InvalidOutput', `Invalid Output: '${output}'`);
    return accepted(callbacks.answer(token, { output: JSON.parse(output) as Json }));
  },

  SendTaskFailure(input) {
    const token = text(input, 'taskToken', 2048);
    const [error, cause] = [input.error, input.cause].map((value) => String(value ?? ''));
    return accepted(callbacks.answer(token, { error: new StateError(error as string, cause as string) }));
  },

  SendTaskHeartbeat(input) {
    return accepted(callbacks.heartbeat(text(input, 'taskToken', 2048)));
  },
});

/**
 * TaskTimedOut: "The task token has either expired or the task associated with the token has already been closed."
 * (https://docs.aws.amazon.com/step-functions/latest/apireference/API_SendTaskSuccess.html) TaskDoesNotExist is for
 * activities, which this engine does not have.
 */
const accepted = (result: 'answered' | 'closed' | 'invalid'): object => {
  if (result === 'closed') {
    throw new ApiError('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'");
  }
  if (result === 'invalid') throw new ApiError('InvalidToken', "Invalid Token: 'Invalid token'");
  return {};
};

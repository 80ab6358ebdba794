import { readPath, type Source } from '../data/paths.ts';
import { limitPayload, runtimeError } from '../errors.ts';
import { failureDetails } from '../history.ts';
import type { Integration } from '../integrations/integration.ts';
import type { Json, JsonObject } from '../json.ts';
import type { StateRun, Work } from './run-state.ts';
import { withTimeouts, type Timeouts } from './task-timeouts.ts';

export const runTask: Work = async (run, source) => {
  const { name, state, scope } = run;
  const resource = state.Resource ?? '';
  const action = resource.replace(/\.waitForTaskToken$/, '');
  const integration = scope.services.integrations.find(({ handles }) => handles(action));
  if (!integration) {
    throw runtimeError(
      `The local engine has no integration for ${resource}, which the state '${name}' uses.`,
    );
  }
  const timeouts = timeoutsOf(run, source);
  const note = notes(run, integration, resource);
  note('Scheduled', { [integration.direct ? 'input' : 'parameters']: JSON.stringify(source.data) });
  note('Started');
  try {
    const work = perform(run, integration, action, source.data, note);
    const result = await withTimeouts(timeouts, work, run);
    limitPayload(result, `The state/task '${name}' returned a result that`);
    note('Succeeded', { output: JSON.stringify(result) });
    return result;
  } catch (error) {
    const timedOut = error instanceof Error && /^States\.(Heartbeat)?Timeout$/.test(error.name);
    note(timedOut ? 'TimedOut' : 'Failed', failureDetails(error));
    throw error;
  }
};

/** Without TimeoutSeconds a task may take for ever. */
const timeoutsOf = ({ state, input }: StateRun, { context }: Source): Timeouts => {
  const read = (seconds?: number, path?: string): number | undefined =>
    path === undefined ? seconds : Number(readPath(path, { data: input, context }));
  return {
    timeout: read(state.TimeoutSeconds, state.TimeoutSecondsPath),
    heartbeat: read(state.HeartbeatSeconds, state.HeartbeatSecondsPath),
  };
};

type Note = (change: string, details?: JsonObject) => void;

const notes = ({ scope }: StateRun, integration: Integration, resource: string): Note => {
  const [, resourceType = '', action = ''] = /^arn:aws:states:::(.+):([^:]+)$/.exec(resource) ?? [];
  const common: JsonObject = integration.direct ? {} : { resourceType, resource: action };
  const prefix = integration.direct ? 'LambdaFunction' : 'Task';
  return (change, details = {}) => {
    if (scope.signal.aborted) return;
    const of = integration.direct && change === 'Scheduled' ? { resource } : common;
    scope.previousEventId = scope.history.add(
      `${prefix}${change}`,
      { ...of, ...details },
      scope.previousEventId,
    );
  };
};

/** Makes the call. With a token, whoever holds it decides how the task ends, unless the call fails before. */
const perform = async (
  { scope, callback }: StateRun,
  integration: Integration,
  action: string,
  parameters: Json,
  note: Note,
): Promise<Json> => {
  const call = integration.call(action, parameters, scope.services);
  if (!callback) return call;
  const submitted = call.then((output) => {
    note('Submitted', { output: JSON.stringify(output) });
    return callback.answer;
  });
  const answer = await Promise.race([submitted, callback.answer]);
  if ('error' in answer) throw answer.error;
  return answer.output;
};

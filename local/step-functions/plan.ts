import { nestedDefinitions, type Definition, type State } from './definition.ts';
import { MAX_TASK_SECONDS, type Runnable } from './interpreter.ts';

/**
 * How a definition is run. The interpreter (aws-local-stepfunctions) does the sequence: which state is next, Retry
 * and Catch. What a state does, and all data flow, is the engine's: the interpreter lacks parts of the context
 * object, of the intrinsics and of the choice rules. So every state becomes a Task with a handler of the engine's,
 * and nothing but its edges is left for the interpreter to see.
 */
export interface Plan {
  definition: Definition;
  runnable: Runnable;
  /** The plans of a Parallel's branches, or the one of a Map's processor. */
  nested: Record<string, Plan[]>;
}

export const makePlan = (definition: Definition): Plan => {
  const states: Record<string, object> = {};
  const nested: Record<string, Plan[]> = {};
  for (const [name, state] of Object.entries(definition.States)) {
    states[name] = {
      Type: 'Task',
      Resource: 'local',
      TimeoutSeconds: MAX_TASK_SECONDS,
      ...edges(name, state),
    };
    if (state.Type === 'Choice') states[router(name)] = routes(state);
    nested[name] = nestedDefinitions(state).map(makePlan);
  }
  return { definition, runnable: { StartAt: definition.StartAt, States: states } as Runnable, nested };
};

/** Where the Choice states' handlers leave the name of the next state. */
export interface Routing {
  next: string;
}

const edges = (name: string, state: State): object => {
  if (state.Type === 'Choice') return { Next: router(name) };
  const isLast = state.End === true || state.Type === 'Succeed' || state.Type === 'Fail';
  return {
    ...(isLast ? { End: true } : { Next: state.Next }),
    ...(state.Retry && { Retry: state.Retry.map(withHeartbeat) }),
    ...(state.Catch && { Catch: state.Catch.map(withHeartbeat).map(withoutRootPath) }),
  };
};

/** A missed heartbeat is a States.Timeout as well as a States.HeartbeatTimeout. */
const withHeartbeat = <T extends { ErrorEquals: string[] }>(rule: T): T => ({
  ...rule,
  ErrorEquals: rule.ErrorEquals.flatMap((error) =>
    error === 'States.Timeout' ? [error, 'States.HeartbeatTimeout'] : [error],
  ),
});

/** `$` means what leaving it out means; the interpreter would make a member called `$`. */
const withoutRootPath = <T extends { ResultPath?: string | null }>({ ResultPath, ...rule }: T) =>
  ResultPath === undefined || ResultPath === '$' ? rule : { ...rule, ResultPath };

/** A Choice runs as two states: the handler that tests the rules, and this one that goes where it says. */
const router = (choice: string): string => `${choice} →`;

const routes = ({ Choices = [], Default }: State): object => {
  const targets = new Set([...Choices.map(({ Next }) => Next), Default].filter((next) => next !== undefined));
  return {
    Type: 'Choice',
    Choices: [...targets].map((next) => ({
      Variable: '$$.Routing.next',
      StringEquals: next,
      Next: next,
    })),
  };
};

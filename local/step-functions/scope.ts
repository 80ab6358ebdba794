import { executionEnded } from './errors.ts';
import type { History } from './history.ts';
import { interpret, type Handlers } from './interpreter.ts';
import type { Json, JsonObject } from './json.ts';
import type { Plan, Routing } from './plan.ts';
import type { Services } from './services.ts';
import { runState } from './states/run-state.ts';
import { untilEnded } from './timers.ts';

/** A sequence of states under way: the execution's own, or a branch, or an iteration. */
export interface Scope {
  /** The context object as far as it is the same for all states of the scope: Execution, StateMachine, Map. */
  context: JsonObject;
  signal: AbortSignal;
  history: History;
  services: Services;
  /** Event that the scope's next event follows. */
  previousEventId: number;
}

/** One entry of a state: the first, or a retry. */
export interface Entry {
  enteredTime: string;
  retryCount: number;
}

/** Runs a plan to its end. @throws what the failing state threw */
export const runScope = async (plan: Plan, input: Json, scope: Scope): Promise<Json> => {
  if (scope.signal.aborted) throw executionEnded();
  const routing: Routing = { next: '' };
  const entries = new Entries();
  const handlers: Handlers = {};
  for (const [name, state] of Object.entries(plan.definition.States)) {
    handlers[name] = async (stateInput) => {
      // The interpreter announces a state in its log and calls the handler in the same breath; the log comes first.
      const entry = await untilEnded(entries.next(), scope.signal);
      return runState({ name, state, entry, scope, routing, nested: plan.nested[name] ?? [] }, stateInput);
    };
  }
  const run = interpret(plan.runnable, input, handlers, { Routing: routing });
  scope.signal.addEventListener('abort', run.abort, { once: true });
  const logged = follow(run.eventLogs, plan, entries, scope);
  try {
    return await run.result;
  } finally {
    await logged;
    scope.signal.removeEventListener('abort', run.abort);
  }
};

type Log = ReturnType<typeof interpret>['eventLogs'];

/** Turns the interpreter's log into history events and entries. */
const follow = async (log: Log, { definition }: Plan, entries: Entries, scope: Scope): Promise<void> => {
  for await (const event of log) {
    const name = 'state' in event ? event.state.name : '';
    const state = definition.States[name];
    // The second half of a Choice is not in the definition.
    if (!state || !('state' in event)) continue;
    const note = (change: 'Entered' | 'Exited', details: JsonObject): void => {
      const type = `${state.Type}State${change}`;
      scope.previousEventId = scope.history.add(type, { name, ...details }, scope.previousEventId);
    };
    if (event.type === 'StateEntered') {
      note('Entered', { input: JSON.stringify(event.state.input) });
      entries.first(event.timestamp);
    } else if (event.type === 'StateRetried') {
      entries.again();
    } else if (event.type === 'StateExited') {
      note('Exited', { output: JSON.stringify(event.state.output) });
    }
  }
};

/** Entries in the order they happen; a scope has one state under way at a time. */
class Entries {
  private current: Entry = { enteredTime: '', retryCount: 0 };
  private announced: Entry[] = [];
  private waiting?: (entry: Entry) => void;

  first(timestamp: number): void {
    this.announce({ enteredTime: new Date(timestamp).toISOString(), retryCount: 0 });
  }

  again(): void {
    this.announce({ ...this.current, retryCount: this.current.retryCount + 1 });
  }

  next(): Promise<Entry> {
    const entry = this.announced.shift();
    if (entry) return Promise.resolve(entry);
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
  }

  private announce(entry: Entry): void {
    this.current = entry;
    if (this.waiting) this.waiting(entry);
    else this.announced.push(entry);
    this.waiting = undefined;
  }
}

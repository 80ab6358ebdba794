import { isObject, type JsonObject } from './json.ts';

export interface HistoryEvent {
  id: number;
  previousEventId: number;
  /** Epoch seconds. */
  timestamp: number;
  type: string;
  [details: string]: unknown;
}

/** What happened in an execution, in the words of GetExecutionHistory. */
export class History {
  readonly events: HistoryEvent[] = [];
  private closed = false;

  /** @returns the event's id, for `previousEventId` of what follows from it */
  add(type: string, details: JsonObject, previousEventId: number): number {
    if (this.closed) return previousEventId;
    const id = this.events.length + 1;
    const timestamp = Date.now() / 1000;
    this.events.push({ id, previousEventId, timestamp, type, ...withKey(type, details) });
    return id;
  }

  /** Adds the last event: whatever a state still reports afterwards is not part of the execution. */
  close(type: string, details: JsonObject): void {
    this.add(type, details, this.events.length);
    this.closed = true;
  }
}

/** `TaskFailed` has its details in `taskFailedEventDetails`; all `…StateEntered` events share one name. */
const withKey = (type: string, details: JsonObject): JsonObject => {
  const [, change] = /State(Entered|Exited)$/.exec(type) ?? [];
  const name = change ? `state${change}` : type.charAt(0).toLowerCase() + type.slice(1);
  const present = Object.entries(details).filter(([, value]) => value !== undefined);
  return present.length === 0 ? {} : { [`${name}EventDetails`]: Object.fromEntries(present) };
};

/** The error's details of a …Failed event. */
export const failureDetails = (error: unknown): JsonObject => {
  const { name, message } =
    isObject(error) || error instanceof Error ? (error as Error) : new Error(String(error));
  return message ? { error: name, cause: message } : { error: name };
};

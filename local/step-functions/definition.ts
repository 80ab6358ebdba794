import type { Json } from './json.ts';

/** The Amazon States Language with JSONPath, as far as this engine runs it. https://states-language.net/spec.html */
export interface Definition {
  StartAt: string;
  States: Record<string, State>;
  TimeoutSeconds?: number;
}

export interface State {
  Type: 'Task' | 'Pass' | 'Choice' | 'Wait' | 'Succeed' | 'Fail' | 'Parallel' | 'Map';
  Next?: string;
  End?: boolean;
  InputPath?: string | null;
  Parameters?: Json;
  ResultSelector?: Json;
  ResultPath?: string | null;
  OutputPath?: string | null;
  Retry?: { ErrorEquals: string[] }[];
  Catch?: { ErrorEquals: string[]; Next: string; ResultPath?: string | null }[];
  // Task
  Resource?: string;
  TimeoutSeconds?: number;
  TimeoutSecondsPath?: string;
  HeartbeatSeconds?: number;
  HeartbeatSecondsPath?: string;
  // Pass
  Result?: Json;
  // Choice
  Choices?: ChoiceRule[];
  Default?: string;
  // Wait
  Seconds?: number;
  SecondsPath?: string;
  Timestamp?: string;
  TimestampPath?: string;
  // Fail
  Error?: string;
  ErrorPath?: string;
  Cause?: string;
  CausePath?: string;
  // Parallel
  Branches?: Definition[];
  // Map
  ItemProcessor?: Definition;
  Iterator?: Definition;
  ItemsPath?: string;
  ItemSelector?: Json;
  MaxConcurrency?: number;
  MaxConcurrencyPath?: string;
}

export interface ChoiceRule {
  And?: ChoiceRule[];
  Or?: ChoiceRule[];
  Not?: ChoiceRule;
  Variable?: string;
  Next?: string;
  /** The comparison: `StringEquals`, `IsPresent`, `NumericLessThanPath`, … */
  [comparison: string]: unknown;
}

/** Fields that change what a state does and that the engine would otherwise pass over in silence. */
const UNSUPPORTED = ['Assign', 'Arguments', 'Output', 'ItemReader', 'ItemBatcher', 'ResultWriter', 'Items'];

/** @throws a sentence if the machine needs what the engine does not have */
export const checkSupported = (machine: string, definition: Definition): void => {
  for (const [name, state] of Object.entries(definition.States)) {
    const jsonata =
      (state as { QueryLanguage?: string }).QueryLanguage === 'JSONata' && 'QueryLanguage JSONata';
    const field = jsonata || UNSUPPORTED.find((one) => one in state);
    if (field) throw new Error(`The local engine cannot run ${machine}: state "${name}" uses ${field}.`);
    for (const nested of nestedDefinitions(state)) checkSupported(machine, nested);
  }
};

/** The branches of a Parallel, or the one processor of a Map. */
export const nestedDefinitions = ({ Branches, ItemProcessor, Iterator }: State): Definition[] =>
  Branches ?? [ItemProcessor ?? Iterator].filter((definition) => definition !== undefined);

import { awsError, DROP, type AwsCallHook, type AwsReply } from '../../local/aws/calls.ts';

type Reply = Promise<AwsReply | typeof DROP>;

export interface Fault {
  /** What happens to the call. */
  strike(proceed: () => Promise<AwsReply>): Reply;
  /** Whether the call's repetitions are struck too, until `heal`. */
  lasting?: boolean;
}

/** What can become of a call on its way to AWS and back. */
export const faults: Record<string, Fault> = {
  'is throttled': { strike: async () => awsError('ThrottlingException', 'Rate exceeded') },
  'meets a server error': { strike: async () => awsError('InternalServerError', 'broken', 500) },
  'is lost on its way': { strike: async () => DROP },
  'is lost on its way back': {
    strike: async (proceed) => {
      await proceed();
      return DROP;
    },
  },
  'arrives twice': {
    strike: async (proceed) => {
      await proceed();
      return proceed();
    },
  },
  'fails whenever it is tried': {
    strike: async () => awsError('InternalServerError', 'broken', 500),
    lasting: true,
  },
  'works whenever it is tried, and nobody hears of it': {
    strike: async (proceed) => {
      await proceed();
      return DROP;
    },
    lasting: true,
  },
};

/** A call of an operation: `Endpoint PutItem 1` is the first PutItem of the endpoint. */
const labelOf = (caller: string, operation: string, count: Map<string, number>): string => {
  const who = /^(Endpoint|Reconciler|workflow)/.exec(caller)?.[1] ?? caller;
  const what = `${who} ${operation}`;
  count.set(what, (count.get(what) ?? 0) + 1);
  return `${what} ${count.get(what)}`;
};

/** Writes down the calls as they come. */
export const recorder = (labels: string[]): AwsCallHook => {
  const count = new Map<string, number>();
  return ({ caller, operation }, proceed) => {
    if (caller !== 'client') labels.push(labelOf(caller, operation, count));
    return proceed();
  };
};

/** Strikes one call. */
export const proxy = (
  label: string,
  fault: Fault,
): { hook: AwsCallHook; heal: () => void; hits: () => number } => {
  const count = new Map<string, number>();
  const operation = label.replace(/ \d+$/, '');
  let hits = 0;
  let healed = false;
  return {
    hook: (call, proceed) => {
      const current = labelOf(call.caller, call.operation, count);
      const repeats = fault.lasting === true && hits > 0 && current.startsWith(operation);
      if (healed || (current !== label && !repeats)) return proceed();
      hits++;
      return fault.strike(proceed);
    },
    heal: () => {
      healed = true;
    },
    hits: () => hits,
  };
};

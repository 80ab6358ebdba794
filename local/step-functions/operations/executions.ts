import type { Operation } from '../api.ts';
import { ApiError } from '../api-error.ts';
import type { Execution } from '../execution.ts';
import type { StepFunctions } from '../step-functions.ts';
import { findMachine } from './machines.ts';
import { isJson, page, seconds, text, withoutUndefined } from './wire.ts';

export const executionOperations = (stepFunctions: StepFunctions): Record<string, Operation> => {
  const find = (input: Record<string, unknown>): Execution => {
    const arn = text(input, 'executionArn');
    const execution = stepFunctions.execution(arn);
    if (!execution) throw new ApiError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
    return execution;
  };

  return {
    StartExecution(input) {
      const machine = findMachine(stepFunctions, input);
      const name = input.name === undefined ? undefined : executionName(text(input, 'name', 80));
      const data = input.input === undefined ? '{}' : text(input, 'input', 262_144);
      if (!isJson(data)) {
        throw new ApiError('InvalidExecutionInput', `Invalid State Machine Execution Input: '${data}'`);
      }
      const existing = name === undefined ? undefined : stepFunctions.executionNamed(machine, name);
      // "StartExecution is idempotent for STANDARD workflows": same name and input while it runs.
      const repeats = existing?.status === 'RUNNING' && existing.input === data;
      if (existing && !repeats) {
        throw new ApiError('ExecutionAlreadyExists', `Execution Already Exists: '${existing.arn}'`);
      }
      const { arn, startDate } = existing ?? stepFunctions.start(machine, data, name);
      return { executionArn: arn, startDate: seconds(startDate) };
    },

    DescribeExecution(input) {
      const execution = find(input);
      const { output, error, cause } = execution.outcome ?? {};
      return withoutUndefined({
        ...summary(execution),
        input: execution.input,
        inputDetails: { included: true },
        output,
        outputDetails: output === undefined ? undefined : { included: true },
        error,
        cause,
      });
    },

    StopExecution(input) {
      const execution = find(input);
      const [error, cause] = [input.error, input.cause].map((value) =>
        value === undefined ? undefined : String(value),
      );
      execution.stop(withoutUndefined({ error, cause }));
      return { stopDate: seconds(execution.stopDate as Date) };
    },

    ListExecutions(input) {
      const executions = stepFunctions
        .executionsOf(findMachine(stepFunctions, input))
        .filter(({ status }) => input.statusFilter === undefined || status === input.statusFilter)
        .reverse();
      const { items, nextToken } = page(executions, input, 100);
      return withoutUndefined({ executions: items.map(summary), nextToken });
    },

    GetExecutionHistory(input) {
      const { events } = find(input).history;
      const { items, nextToken } = page(input.reverseOrder ? [...events].reverse() : events, input, 100);
      return withoutUndefined({ events: items, nextToken });
    },
  };
};

const summary = ({ arn, machine, name, status, startDate, stopDate }: Execution) =>
  withoutUndefined({
    executionArn: arn,
    stateMachineArn: machine.arn,
    name,
    status,
    startDate: seconds(startDate),
    stopDate: stopDate && seconds(stopDate),
  });

/** No white space, brackets, wildcards, special or control characters. */
const FORBIDDEN = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}]/u;

const executionName = (name: string): string => {
  if (name === '' || FORBIDDEN.test(name)) throw new ApiError('InvalidName', `Invalid Name: '${name}'`);
  return name;
};

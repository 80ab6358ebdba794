import type { Operation } from '../api.ts';
import { ApiError } from '../api-error.ts';
import type { StateMachine } from '../state-machine.ts';
import type { StepFunctions } from '../step-functions.ts';
import { page, seconds, text, withoutUndefined } from './wire.ts';

/** @throws StateMachineDoesNotExist */
export const findMachine = (stepFunctions: StepFunctions, input: Record<string, unknown>): StateMachine => {
  const arn = text(input, 'stateMachineArn');
  const machine = stepFunctions.machine(arn);
  if (!machine) throw new ApiError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
  return machine;
};

export const machineOperations = (stepFunctions: StepFunctions): Record<string, Operation> => ({
  ListStateMachines(input) {
    const { items, nextToken } = page(stepFunctions.machines, input, 100);
    return withoutUndefined({ stateMachines: items.map(summary), nextToken });
  },

  DescribeStateMachine(input) {
    const machine = findMachine(stepFunctions, input);
    const { definition, roleArn } = machine;
    return { ...summary(machine), status: 'ACTIVE', definition, roleArn };
  },
});

const summary = ({ arn, name, type, creationDate }: StateMachine) => ({
  stateMachineArn: arn,
  name,
  type,
  creationDate: seconds(creationDate),
});

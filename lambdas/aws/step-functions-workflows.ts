import { CannotStart } from '../protocol/cannot-start.ts';
import type { EndedExecution, Workflows } from '../protocol/ports.ts';
import { ENDED } from './execution-status.ts';
import { attempts, START_MS, within } from './limits.ts';

/**
 * The Step Functions client is loaded where it is first called, not at the top: polling, which is most of the
 * traffic, then starts cold without it.
 */
const load = async () => {
  const sdk = await import('@aws-sdk/client-sfn');
  // A burst of starts is throttled, and let through a moment later.
  return { sdk, client: new sdk.SFNClient(attempts(6)) };
};
type StepFunctions = Awaited<ReturnType<typeof load>>;
let loaded: Promise<StepFunctions> | undefined;
const stepFunctions = () => (loaded ??= load());

/** @returns false if nothing waits on the token any more: it was answered before, timed out, or its execution is over. */
const unlessSpent = async (callback: (loaded: StepFunctions) => Promise<unknown>): Promise<boolean> => {
  const { sdk, client } = await stepFunctions();
  try {
    await callback({ sdk, client });
    return true;
  } catch (error) {
    if (error instanceof sdk.TaskTimedOut || error instanceof sdk.TaskDoesNotExist) return false;
    throw error;
  }
};

/** Why StartExecution refuses one task for good; all else concerns every task, or passes. */
const FINAL = new Set([
  'StateMachineDoesNotExist',
  'StateMachineDeleting',
  'InvalidArn',
  'InvalidName',
  'InvalidExecutionInput',
]);

/** @param stateMachines ARN of each task tool's state machine, by the tool's name. */
export const stepFunctionsWorkflows = (stateMachines: Record<string, string>): Workflows => {
  const stateMachineArn = (tool: string): string => {
    const arn = stateMachines[tool];
    if (arn === undefined) throw new CannotStart(`No state machine for the tool ${tool}`);
    return arn;
  };

  return {
    executionArn: (tool, taskId) =>
      `${stateMachineArn(tool).replace(':stateMachine:', ':execution:')}:${taskId}`,

    async start(tool, input) {
      const { sdk, client } = await stepFunctions();
      try {
        await client.send(
          new sdk.StartExecutionCommand({
            stateMachineArn: stateMachineArn(tool),
            name: input.task.id,
            input: JSON.stringify(input),
          }),
          within(START_MS),
        );
      } catch (error) {
        // Started by an earlier try whose answer got lost, and already over.
        if (error instanceof sdk.ExecutionAlreadyExists) return;
        throw FINAL.has((error as Error).name) ? new CannotStart(undefined, { cause: error }) : error;
      }
    },

    async describe(executionArn) {
      const { sdk, client } = await stepFunctions();
      try {
        const { status, input, output, error, cause } = await client.send(
          new sdk.DescribeExecutionCommand({ executionArn }),
          within(),
        );
        const ended: EndedExecution['status'] | undefined = ENDED[status as keyof typeof ENDED];
        return ended === undefined ? { status: 'running' } : { status: ended, input, output, error, cause };
      } catch (error) {
        if (error instanceof sdk.ExecutionDoesNotExist) return { status: 'missing' };
        throw error;
      }
    },

    async stop(executionArn, reason) {
      const { sdk, client } = await stepFunctions();
      try {
        await client.send(new sdk.StopExecutionCommand({ executionArn, error: reason }), within());
      } catch (error) {
        // The record was written and the start never happened: nothing runs, so it counts as stopped.
        if (!(error instanceof sdk.ExecutionDoesNotExist)) throw error;
      }
    },

    answer: (token, output) =>
      unlessSpent(({ sdk, client }) =>
        client.send(
          new sdk.SendTaskSuccessCommand({ taskToken: token, output: JSON.stringify(output) }),
          within(),
        ),
      ),

    async withdraw(token) {
      await unlessSpent(({ sdk, client }) =>
        client.send(
          new sdk.SendTaskFailureCommand({
            taskToken: token,
            error: 'TaskCancelled',
            cause: 'The caller cancelled the task.',
          }),
          within(),
        ),
      );
    },
  };
};

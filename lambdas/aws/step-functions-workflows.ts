import type { Workflows } from '../protocol/ports.ts';

/**
 * The Step Functions client is loaded where it is first called, not at the top: polling, which is most of the
 * traffic, then starts cold without it.
 */
const load = async () => {
  const sdk = await import('@aws-sdk/client-sfn');
  return { sdk, client: new sdk.SFNClient() };
};
let loaded: ReturnType<typeof load> | undefined;
const stepFunctions = () => (loaded ??= load());

/** @param stateMachines ARN of each task tool's state machine, by the tool's name. */
export const stepFunctionsWorkflows = (stateMachines: Record<string, string>): Workflows => {
  const stateMachineArn = (tool: string): string => {
    const arn = stateMachines[tool];
    if (arn === undefined) throw new Error(`No state machine for the tool ${tool}`);
    return arn;
  };

  return {
    executionArn: (tool, taskId) =>
      `${stateMachineArn(tool).replace(':stateMachine:', ':execution:')}:${taskId}`,

    async start(tool, input) {
      const { sdk, client } = await stepFunctions();
      await client.send(
        new sdk.StartExecutionCommand({
          stateMachineArn: stateMachineArn(tool),
          name: input.task.id,
          input: JSON.stringify(input),
        }),
      );
    },

    async stop(executionArn, cause) {
      const { sdk, client } = await stepFunctions();
      try {
        await client.send(new sdk.StopExecutionCommand({ executionArn, error: 'Cancelled', cause }));
      } catch (error) {
        // The record was written and the start never happened: nothing runs, so it counts as stopped.
        if (!(error instanceof sdk.ExecutionDoesNotExist)) throw error;
      }
    },

    async answer(token, output) {
      const { sdk, client } = await stepFunctions();
      try {
        await client.send(
          new sdk.SendTaskSuccessCommand({ taskToken: token, output: JSON.stringify(output) }),
        );
      } catch (error) {
        // Answered before, timed out, or stopped: the state no longer waits. The first answer stands.
        if (error instanceof sdk.TaskTimedOut || error instanceof sdk.TaskDoesNotExist) return;
        throw error;
      }
    },
  };
};

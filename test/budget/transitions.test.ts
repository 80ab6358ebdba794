import { describe, expect, test } from '@jest/globals';
import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  ListStateMachinesCommand,
} from '@aws-sdk/client-sfn';
import { useEngine } from '../support/engine.ts';
import { pollUntil, rpc } from '../support/tasks-client.ts';

/** Step Functions bills every state that is entered, and so does the design's budget. */
describe('state transitions per task', () => {
  const engine = useEngine();

  const executionOf = async (taskId: string): Promise<string> => {
    const { stateMachines } = await engine.stepFunctions.send(new ListStateMachinesCommand());
    for (const { stateMachineArn } of stateMachines!) {
      const executionArn = `${stateMachineArn!.replace(':stateMachine:', ':execution:')}:${taskId}`;
      const found = await engine.stepFunctions
        .send(new DescribeExecutionCommand({ executionArn }))
        .catch(() => undefined);
      if (found) return executionArn;
    }
    throw new Error(`No execution of ${taskId}`);
  };

  const statesEntered = async (tool: string, args: object): Promise<string[]> => {
    const { result } = await rpc(engine.mcpUrl, 'tools/call', { name: tool, arguments: args });
    await pollUntil(engine.mcpUrl, result!['taskId'], 'completed');
    const executionArn = await executionOf(result!['taskId']);
    for (;;) {
      const { status } = await engine.stepFunctions.send(new DescribeExecutionCommand({ executionArn }));
      if (status !== 'RUNNING') break;
    }
    const { events } = await engine.stepFunctions.send(new GetExecutionHistoryCommand({ executionArn }));
    return events!.flatMap(({ stateEnteredEventDetails: entered }) => (entered ? [entered.name!] : []));
  };

  test('countdown takes at most 6', async () => {
    const states = await statesEntered('countdown', { seconds: 0 });
    expect(states).toEqual([
      'Run countdown',
      'Announce',
      'Count down',
      'Lift-off',
      'Complete the task',
      'Task completed',
    ]);
  });

  test('run_migration that finds nothing to do takes at most 14', async () => {
    const states = await statesEntered('run_migration', { migration: 'lowercase_emails' });
    expect(states).toContain('Report that there is nothing to do');
    expect(states.length).toBeLessThanOrEqual(14);
  });
});

import {
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
} from '@aws-sdk/client-sfn';
import type { TestEngine } from '../support/engine.ts';
import { recordOf } from './engine.ts';

/** Executions that run although their task is over, or that no record knows. There must be none. */
export const strays = async (engine: TestEngine): Promise<string[]> => {
  const { stateMachines = [] } = await engine.stepFunctions.send(new ListStateMachinesCommand({}));
  const running = await Promise.all(
    stateMachines.map(async ({ stateMachineArn }) => {
      const command = new ListExecutionsCommand({
        stateMachineArn,
        statusFilter: 'RUNNING',
        maxResults: 1000,
      });
      return (await engine.stepFunctions.send(command)).executions ?? [];
    }),
  );
  const checked = await Promise.all(
    running.flat().map(async ({ name }) => {
      const record = await recordOf(engine, name!).catch(() => undefined);
      return record?.['status'] === 'working' ? [] : [name!];
    }),
  );
  return checked.flat();
};

/** What a task's workflow was answered with, in the order it came. */
export const deliveredTo = async (engine: TestEngine, taskId: string): Promise<unknown[]> => {
  const { executionArn } = await recordOf(engine, taskId);
  const answers: unknown[] = [];
  let nextToken: string | undefined;
  do {
    const page = await engine.stepFunctions.send(
      new GetExecutionHistoryCommand({ executionArn: String(executionArn), maxResults: 1000, nextToken }),
    );
    for (const { taskSucceededEventDetails: details } of page.events ?? []) {
      const { key, response } = JSON.parse(details?.output ?? '{}');
      if (key !== undefined) answers.push(response);
    }
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return answers;
};

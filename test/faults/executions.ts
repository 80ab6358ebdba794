import {
  DescribeExecutionCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
} from '@aws-sdk/client-sfn';
import { awsError, DROP } from '../../local/aws/calls.ts';
import type { TestEngine } from '../support/engine.ts';
import { recordOf } from './engine.ts';

/** Status of a task's execution; `ExecutionDoesNotExist` if there is none. */
export const executionStatus = async (engine: TestEngine, taskId: string): Promise<string | undefined> => {
  const { executionArn } = await recordOf(engine, taskId);
  return engine.stepFunctions
    .send(new DescribeExecutionCommand({ executionArn: String(executionArn) }))
    .then(({ status }) => status)
    .catch(({ name }: Error) => name);
};

/** Names of the executions of `keyed` tasks with this note. */
export const executionsOfKeyed = async (engine: TestEngine, note: string): Promise<string[]> => {
  const { stateMachines = [] } = await engine.stepFunctions.send(new ListStateMachinesCommand({}));
  const { stateMachineArn } = stateMachines.find(({ name }) => name?.includes('keyed'))!;
  const { executions = [] } = await engine.stepFunctions.send(
    new ListExecutionsCommand({ stateMachineArn, maxResults: 1000 }),
  );
  const described = await Promise.all(
    executions.map(({ executionArn }) =>
      engine.stepFunctions.send(new DescribeExecutionCommand({ executionArn })),
    ),
  );
  return described.filter(({ input }) => JSON.parse(input!).arguments.note === note).map(({ name }) => name!);
};

/** The endpoint dies before or behind the n-th of these calls, and makes no further one. Returns how to revive it. */
export const dieAt = (
  engine: TestEngine,
  calls: readonly string[],
  n: number,
  when: 'before' | 'behind',
): (() => void) => {
  let count = 0;
  let dying = false;
  return engine.interceptAwsCalls(async ({ caller, operation }, proceed) => {
    if (!caller.startsWith('Endpoint')) return proceed();
    if (dying) return awsError('AccessDeniedException', 'dead');
    if (operation !== calls[count] || count++ < n) return proceed();
    dying = true;
    if (when === 'before') return awsError('AccessDeniedException', 'dead');
    await proceed();
    return DROP;
  });
};

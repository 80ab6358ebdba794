import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import type { ExecutionInput } from '../protocol/ports.ts';
import { ToolError } from '../protocol/tool-error.ts';
import { ProtocolError } from './protocol-error.ts';

/** What `kit.run` sends to a step. */
export interface StepEvent<Input> {
  task: ExecutionInput['task'];
  input: Input;
}

const log = new Logger({ serviceName: 'step' });

/** Whether the step ended its task by intent, in words for the caller. */
const isMeant = (error: unknown): boolean => error instanceof ToolError || error instanceof ProtocolError;

/**
 * A Lambda step of a workflow. Its result becomes the state's result. Throw ToolError or ProtocolError to end the task.
 * Every line of `log` says which task it is about.
 */
export const step =
  <Input, Output>(run: (input: Input, task: ExecutionInput['task'], log: Logger) => Promise<Output>) =>
  async ({ input, task }: StepEvent<Input>, context?: Context): Promise<Output> => {
    log.resetKeys();
    if (context) log.addContext(context);
    log.appendKeys({ taskId: task.id, tool: task.tool });
    try {
      return await run(input, task, log);
    } catch (error) {
      if (!isMeant(error)) log.error('Step failed', { error: error as Error });
      throw error;
    }
  };

import type { ExecutionInput } from '../protocol/ports.ts';

/** What `kit.run` sends to a step. */
export interface StepEvent<Input> {
  task: ExecutionInput['task'];
  input: Input;
}

/** A Lambda step of a workflow. Its result becomes the state's result. Throw ToolError or ProtocolError to end the task. */
export const step =
  <Input, Output>(run: (input: Input, task: ExecutionInput['task']) => Promise<Output>) =>
  ({ input, task }: StepEvent<Input>): Promise<Output> =>
    run(input, task);

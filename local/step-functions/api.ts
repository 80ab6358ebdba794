import { awsReply, type AwsReply } from '../aws/calls.ts';
import { ApiError } from './api-error.ts';
import { executionOperations } from './operations/executions.ts';
import { machineOperations } from './operations/machines.ts';
import { taskOperations } from './operations/tasks.ts';
import type { StepFunctions } from './step-functions.ts';

export type Operation = (input: Record<string, unknown>) => object;

/** The Step Functions API over AWS JSON 1.0: one operation per `X-Amz-Target`. */
export class StepFunctionsApi {
  private readonly operations: Record<string, Operation>;

  constructor(stepFunctions: StepFunctions) {
    this.operations = {
      ...executionOperations(stepFunctions),
      ...machineOperations(stepFunctions),
      ...taskOperations(stepFunctions),
    };
  }

  serve(name: string, body: Buffer): AwsReply {
    try {
      const operation = Object.hasOwn(this.operations, name) ? this.operations[name] : undefined;
      if (!operation)
        throw new ApiError('UnknownOperationException', `The local engine has no operation ${name}.`);
      return awsReply(operation(parse(body)));
    } catch (error) {
      if (error instanceof ApiError) return error.reply;
      throw error;
    }
  }
}

const parse = (body: Buffer): Record<string, unknown> => {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>;
  } catch {
    throw new ApiError('SerializationException', 'The request is not JSON.');
  }
};

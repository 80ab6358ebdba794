import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { JitterType, JsonPath, TaskInput } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';

export interface RunStepProps {
  /** What the step gets: a JSONPath, or an object that may contain paths. Default: the whole state data. */
  input?: string | Record<string, unknown>;
  /** Where the step's result lands in the state data. Default: it replaces them. */
  resultPath?: string;
}

/** The Lambda service's own failures, by the names Step Functions gives them; an error of the step is not retried. */
const SERVICE_ERRORS = [
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
  'Lambda.TooManyRequestsException',
];

/** A Lambda step. Its handler is made with `step()` of lambdas/step. */
export class RunStep extends LambdaInvoke {
  constructor(
    scope: Construct,
    state: string,
    readonly handler: IFunction,
    { input = '$', resultPath }: RunStepProps,
  ) {
    super(scope, state, {
      lambdaFunction: handler,
      payload: TaskInput.fromObject({
        task: JsonPath.objectAt('$$.Execution.Input.task'),
        input: typeof input === 'string' ? JsonPath.objectAt(input) : input,
      }),
      // The step's result itself, not the Invoke API's envelope around it.
      payloadResponseOnly: true,
      resultPath,
      retryOnServiceExceptions: false,
    });
    this.addRetry({
      errors: SERVICE_ERRORS,
      interval: Duration.seconds(2),
      maxAttempts: 6,
      backoffRate: 2,
      jitterStrategy: JitterType.FULL,
    });
  }
}

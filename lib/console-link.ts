import { Aws } from 'aws-cdk-lib';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';

/** Where a person looks at the executions of a state machine; every one is named after its task. */
export const consoleLink = ({ stateMachineArn }: IStateMachine): string =>
  `https://${Aws.REGION}.console.aws.amazon.com/states/home?region=${Aws.REGION}` +
  `#/statemachines/view/${stateMachineArn}`;

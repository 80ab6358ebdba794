import { Stack, Validations, type CfnElement } from 'aws-cdk-lib';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { NodeFunction } from './node-function.ts';

/** For the environment of a function: ARN of each task tool's state machine, as lambdas/aws/state-machine-arns.ts reads it. */
export const arnsAsJson = (scope: Construct, stateMachines: Record<string, StateMachine>): string => {
  const arns = Object.entries(stateMachines).map(([tool, { stateMachineArn }]) => [tool, stateMachineArn]);
  return Stack.of(scope).toJsonString(Object.fromEntries(arns));
};

/** The reason for the wildcard in `stateMachine.grantExecution(grantee, …)`, for cdk-nag. */
export const explainExecutions = (grantee: NodeFunction, stateMachine: StateMachine): void => {
  const name = Stack.of(grantee).getLogicalId(stateMachine.node.defaultChild as CfnElement);
  Validations.of(grantee.role!).acknowledge({
    id:
      'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:' +
      `{"Fn::Select":[6,{"Fn::Split":[":",{"Ref":"${name}"}]}]}:*]`,
    reason: 'The executions of this one state machine, which get their names when they start.',
  });
};

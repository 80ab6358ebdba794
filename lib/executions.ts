import { Stack, Validations, type CfnElement } from 'aws-cdk-lib';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { NodeFunction } from './node-function.ts';

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

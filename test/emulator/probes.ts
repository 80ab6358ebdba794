import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { DescribeTimeToLiveCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetBucketTaggingCommand, S3Client } from '@aws-sdk/client-s3';
import { TAG } from '../../lambdas/removal/empty-bucket.ts';
import { awsRequest } from '../../scripts/aws-request.ts';

/** Something that AWS does, and whether the emulator does it too. */
export interface Probe {
  works: boolean;
  note?: string;
  try(lab: Lab): Promise<boolean>;
}

export interface Lab {
  /** A function of the stack that throws a ToolError for this input. */
  throwingFunction: string;
  throwingInput: object;
  taskTable: string;
  resultBucket: string;
}

/** Made when it is needed: only then is it known where the emulator listens. */
const stepFunctions = () => new SFNClient();

const start = async (definition: object, input: object = {}): Promise<string> => {
  const { stateMachineArn } = await stepFunctions().send(
    new CreateStateMachineCommand({
      name: `probe-${crypto.randomUUID()}`,
      roleArn: 'arn:aws:iam::000000000000:role/probe',
      definition: JSON.stringify(definition),
    }),
  );
  const { executionArn } = await stepFunctions().send(
    new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input) }),
  );
  return executionArn!;
};

const PATIENCE_MS = 8_000;

/** The execution once it has ended, or as it is when that takes too long. */
const ended = async (executionArn: string) => {
  for (const deadline = Date.now() + PATIENCE_MS; ;) {
    const execution = await stepFunctions().send(new DescribeExecutionCommand({ executionArn }));
    if (execution.status !== 'RUNNING' || Date.now() > deadline) return execution;
    await new Promise((done) => setTimeout(done, 100));
  }
};

const run = async (definition: object, input?: object) => ended(await start(definition, input));

const machine = (state: object, more: object = {}): object => ({
  StartAt: 'Only',
  States: { Only: state },
  ...more,
});

const waitForToken = (TableName: string, more: object) =>
  machine({
    Type: 'Task',
    Resource: 'arn:aws:states:::aws-sdk:dynamodb:updateItem.waitForTaskToken',
    Parameters: {
      TableName,
      Key: { pk: { S: 'probe' } },
      UpdateExpression: 'SET a = :a',
      ExpressionAttributeValues: { ':a': { S: 'a' } },
    },
    End: true,
    ...more,
  });

const eventBus = (target: string, body: object): Promise<string> =>
  awsRequest({
    service: 'events',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `AWSEvents.${target}` },
    body: JSON.stringify(body),
  });

const queue = async (target: string, body: object) =>
  JSON.parse(
    await awsRequest({
      service: 'sqs',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${target}` },
      body: JSON.stringify(body),
    }),
  ) as { QueueUrl: string; Messages?: { Body: string }[] };

export const probes: Record<string, Probe> = {
  'a Catch on a Parallel is followed': {
    works: true,
    async try() {
      const { status } = await run({
        StartAt: 'Try',
        States: {
          Try: {
            Type: 'Parallel',
            Branches: [machine({ Type: 'Fail', Error: 'Wrong' })],
            Catch: [{ ErrorEquals: ['Wrong'], Next: 'Caught' }],
            End: true,
          },
          Caught: { Type: 'Succeed' },
        },
      });
      return status === 'SUCCEEDED';
    },
  },
  'a Lambda error keeps its name': {
    works: false,
    note: 'every one is called Runtime.HandlerError, so a ToolError of a step ends its task as failed',
    async try({ throwingFunction, throwingInput }) {
      const definition = machine({ Type: 'Task', Resource: throwingFunction, End: true });
      return (await run(definition, throwingInput)).error === 'ToolError';
    },
  },
  'a Fail state takes ErrorPath and CausePath': {
    works: true,
    async try() {
      const { error, cause } = await run(machine({ Type: 'Fail', ErrorPath: '$.e', CausePath: '$.c' }), {
        e: 'E',
        c: 'C',
      });
      return error === 'E' && cause === 'C';
    },
  },
  'States.Format writes a boolean as JSON does': {
    works: false,
    note: 'as Python does: True',
    async try() {
      const { output } = await run(
        machine({ Type: 'Pass', Parameters: { 'text.$': "States.Format('{}', $.flag)" }, End: true }),
        { flag: true },
      );
      return JSON.parse(output ?? '{}').text === 'true';
    },
  },
  'TimeoutSeconds of a state machine ends its execution': {
    works: false,
    note: 'a task that outlives its ttlMs goes on; reads close it',
    async try() {
      const { status } = await run(machine({ Type: 'Wait', Seconds: 30, End: true }, { TimeoutSeconds: 1 }));
      return status === 'TIMED_OUT';
    },
  },
  'TimeoutSeconds of a state that waits for an answer': {
    works: true,
    async try({ taskTable }) {
      const { error } = await run(waitForToken(taskTable, { TimeoutSeconds: 1 }));
      return error === 'States.Timeout';
    },
  },
  'HeartbeatSeconds of a state that waits for an answer': {
    works: false,
    note: 'nothing in this template beats',
    async try({ taskTable }) {
      const { status } = await run(waitForToken(taskTable, { HeartbeatSeconds: 1, TimeoutSeconds: 60 }));
      return status === 'FAILED';
    },
  },
  'a Lambda that throws ends a wait for its token': {
    works: false,
    note: 'nothing in this template waits so',
    async try({ throwingFunction, throwingInput }) {
      const { status } = await run(
        machine({
          Type: 'Task',
          Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
          Parameters: { FunctionName: throwingFunction, Payload: throwingInput },
          TimeoutSeconds: 60,
          End: true,
        }),
      );
      return status === 'FAILED';
    },
  },
  'a definition that makes no sense is refused': {
    works: false,
    note: 'the CDK and test/lib check definitions before they get there',
    try: () =>
      start(machine({ Type: 'Pass', Next: 'Nowhere' })).then(
        () => false,
        () => true,
      ),
  },
  'status events of executions come on EventBridge': {
    works: true,
    async try() {
      const { QueueUrl } = await queue('CreateQueue', { QueueName: 'probe' });
      const EventPattern = JSON.stringify({ source: ['aws.states'] });
      await eventBus('PutRule', { Name: 'probe', EventPattern });
      const Arn = 'arn:aws:sqs:us-east-1:000000000000:probe';
      await eventBus('PutTargets', { Rule: 'probe', Targets: [{ Id: 'probe', Arn }] });
      const { executionArn } = await run(machine({ Type: 'Pass', End: true }));
      for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
        const { Messages = [] } = await queue('ReceiveMessage', {
          QueueUrl,
          WaitTimeSeconds: 1,
          MaxNumberOfMessages: 10,
        });
        if (Messages.some(({ Body }) => Body.includes(executionArn!) && Body.includes('SUCCEEDED')))
          return true;
      }
      return false;
    },
  },
  'TimeToLive of a table that CloudFormation makes': {
    works: false,
    note: 'expired records stay, and read as gone',
    async try({ taskTable }) {
      const { TimeToLiveDescription } = await new DynamoDBClient().send(
        new DescribeTimeToLiveCommand({ TableName: taskTable }),
      );
      return TimeToLiveDescription?.TimeToLiveStatus === 'ENABLED';
    },
  },
  'tags of a bucket that CloudFormation makes': {
    works: false,
    note: 'a check tags it by hand, to see it emptied',
    async try({ resultBucket: Bucket }) {
      const tags = new S3Client({ forcePathStyle: true }).send(new GetBucketTaggingCommand({ Bucket }));
      return tags.then(
        ({ TagSet = [] }) => TagSet.some(({ Key }) => Key === TAG),
        ({ name }: Error) => {
          if (name !== 'NoSuchTagSet') throw new Error(`It answered ${name}`);
          return false;
        },
      );
    },
  },
};

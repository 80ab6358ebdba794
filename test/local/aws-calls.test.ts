import { beforeEach, expect, test } from '@jest/globals';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetExecutionHistoryCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { DROP, awsError } from '../../local/aws/calls.ts';
import { withEngine } from './fixture/engine.ts';
import { eventually } from './fixture/eventually.ts';

const update = (prefix: string, end: object = { End: true }) => ({
  Type: 'Task',
  Resource: `arn:aws:states:::${prefix}dynamodb:updateItem`,
  Parameters: {
    TableName: '${Table}',
    Key: { pk: { S: 'row' } },
    UpdateExpression: 'SET seen = :yes',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':yes': { Bool: true } },
    ReturnValues: 'ALL_NEW',
  },
  ...end,
});

const bed = withEngine({
  AwsSdk: { StartAt: 'Update', States: { Update: update('aws-sdk:') } },
  Optimized: { StartAt: 'Update', States: { Update: update('') } },
  Retrying: {
    StartAt: 'Update',
    States: {
      Update: update('', { End: true, Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 60 }] }),
    },
  },
  Caller: {
    StartAt: 'Put',
    States: {
      Put: { Type: 'Task', Resource: '${Worker.Arn}', Parameters: { do: 'put' }, Next: 'Update' },
      Update: update('aws-sdk:'),
    },
  },
});

const key = (pk: string) => ({ TableName: 'Table', Key: { pk: { S: pk } } });
const put = (pk: string) =>
  bed.dynamodb.send(new PutItemCommand({ TableName: 'Table', Item: { pk: { S: pk } } }));
const get = async (pk: string) => (await bed.dynamodb.send(new GetItemCommand(key(pk)))).Item;

beforeEach(() => bed.engine.resetCalls());

test.each([
  [
    'AwsSdk',
    /FAILED DynamoDb\.ConditionalCheckFailedException: The conditional request failed \(Service: DynamoDb, /,
  ],
  [
    'Optimized',
    /FAILED DynamoDB\.ConditionalCheckFailedException: The conditional request failed \(Service: Amazon/,
  ],
])('%s names errors as AWS does', async (machine, message) => {
  await expect(bed.run(machine)).rejects.toThrow(message);
});

test('a stopped execution calls nobody any more, not even for a retry it waited for', async () => {
  const executionArn = await bed.start('Retrying');
  const updates = () => bed.engine.calls.filter(({ operation }) => operation === 'UpdateItem').length;
  await eventually(async () => {
    const { events } = await bed.sfn.send(new GetExecutionHistoryCommand({ executionArn }));
    return events?.some(({ type }) => type === 'TaskFailed');
  });
  await bed.sfn.send(new StopExecutionCommand({ executionArn }));
  // The interpreter’s wait ends with the execution, and it would go on with the retry at once.
  await bed.ended(executionArn);
  expect(updates()).toBe(1);
});

test('every call is noted, with who made it', async () => {
  await bed.run('Caller');
  expect(bed.engine.calls).toEqual([
    { service: 'states', operation: 'StartExecution', caller: 'client' },
    { service: 'dynamodb', operation: 'PutItem', caller: 'Worker' },
    { service: 'dynamodb', operation: 'UpdateItem', caller: 'workflow' },
    { service: 'states', operation: 'DescribeExecution', caller: 'client' },
  ]);
  expect(await get('row')).toEqual({ pk: { S: 'row' }, seen: { BOOL: true } });
});

test('a hook can answer in the service’s place', async () => {
  const restore = bed.engine.interceptAwsCalls(async ({ operation }, proceed) =>
    operation === 'PutItem' ? awsError('ThrottlingException', 'Rate exceeded') : proceed(),
  );
  await expect(put('refused')).rejects.toMatchObject({
    name: 'ThrottlingException',
    message: 'Rate exceeded',
  });
  expect(await get('refused')).toBeUndefined();
  restore();
  await put('refused');
  expect(await get('refused')).toBeDefined();
});

test('a hook can lose the reply of a call that happened', async () => {
  const restore = bed.engine.interceptAwsCalls(async (call, proceed) => {
    const reply = await proceed();
    return call.operation === 'PutItem' && call.caller === 'client' ? DROP : reply;
  });
  await expect(put('lost')).rejects.toThrow(/socket hang up|ECONNRESET/);
  restore();
  expect(await get('lost')).toBeDefined();
});

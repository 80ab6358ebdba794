import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { DynamoDBClient, PutItemCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import { startEngine, type Engine } from '../../local/engine.ts';
import type { StreamRecord } from '../../local/events/stream-record.ts';
import { eventually } from './fixture/eventually.ts';
import { fixture } from './fixture/template.ts';

const streamed = () => {
  const { directory, template } = fixture();
  const { Table: table } = template.Resources;
  Object.assign(table!.Properties!, { StreamSpecification: { StreamViewType: 'NEW_IMAGE' } });
  Object.assign(template.Resources, {
    Consumer: {
      Type: 'AWS::Lambda::Function',
      Properties: { Handler: 'index.handler', Timeout: 1 },
      Metadata: { 'aws:asset:path': 'consumer' },
    },
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
        FunctionName: { Ref: 'Consumer' },
        BatchSize: 4,
        BisectBatchOnFunctionError: true,
        MaximumRecordAgeInSeconds: 2,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        FilterCriteria: {
          Filters: [
            {
              Pattern: JSON.stringify({
                eventName: ['INSERT'],
                dynamodb: { NewImage: { wanted: { S: [{ exists: true }] } } },
              }),
            },
          ],
        },
      },
    },
  });
  return { directory, template };
};

let engine: Engine;
let dynamoDb: DynamoDBClient;
const got: StreamRecord[][] = [];
const lines: string[] = [];
beforeAll(async () => {
  engine = await startEngine({
    assembly: streamed(),
    log: (source, line) => {
      if (source === 'Consumer' && line.startsWith('[')) got.push(JSON.parse(line));
      else lines.push(line);
    },
  });
  dynamoDb = new DynamoDBClient({
    region: 'us-east-1',
    endpoint: engine.awsEndpoint,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
});
afterAll(async () => {
  dynamoDb?.destroy();
  await engine?.close();
});
afterEach(() => void got.splice(0));

const put = (pk: string, item: Record<string, AttributeValue> = {}, more: object = {}) =>
  dynamoDb.send(
    new PutItemCommand({
      TableName: 'Table',
      Item: { pk: { S: pk }, wanted: { S: 'yes' }, ...item },
      ...more,
    }),
  );
const keys = (): string[] => got.flat().map(({ dynamodb }) => (dynamodb.Keys['pk'] as { S: string }).S);
const arrived = (pk: string, times = 1) =>
  eventually(() => keys().filter((key) => key === pk).length >= times);

test('an inserted item arrives as Lambda gives it', async () => {
  await put('one', { number: { N: '7' } });
  await arrived('one');
  expect(got.flat()).toEqual([
    {
      ...{ eventID: expect.any(String), eventName: 'INSERT', eventVersion: '1.1' },
      ...{ eventSource: 'aws:dynamodb', awsRegion: 'us-east-1' },
      eventSourceARN: expect.stringMatching(/^arn:aws:dynamodb:us-east-1:\d+:table\/Table\/stream\//),
      dynamodb: {
        ApproximateCreationDateTime: expect.any(Number),
        Keys: { pk: { S: 'one' } },
        NewImage: { pk: { S: 'one' }, wanted: { S: 'yes' }, number: { N: '7' } },
        SequenceNumber: expect.stringMatching(/^\d{21,40}$/),
        SizeBytes: expect.any(Number),
        StreamViewType: 'NEW_IMAGE',
      },
    },
  ]);
});

test('what the filter does not want does not arrive: a replacement, another item, a put that failed', async () => {
  await put('two');
  await arrived('two');
  got.splice(0);
  const { Attributes: untold } = await put('two');
  const { Attributes: told } = await put('two', {}, { ReturnValues: 'ALL_OLD' });
  await dynamoDb.send(new PutItemCommand({ TableName: 'Table', Item: { pk: { S: 'unwanted' } } }));
  await expect(put('two', {}, { ConditionExpression: 'attribute_not_exists(pk)' })).rejects.toThrow(
    'The conditional request failed',
  );
  await put('last');
  await arrived('last');
  expect(keys()).toEqual(['last']);
  expect(untold).toBeUndefined();
  expect(told).toEqual({ pk: { S: 'two' }, wanted: { S: 'yes' } });
});

describe('what fails comes again', () => {
  /** All that is put meanwhile is one batch. */
  const held = async (gateKey: string, puts: () => Promise<unknown>) => {
    let open!: () => void;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const release = engine.interceptStream(async (_, deliver) => {
      await gate;
      await deliver();
    });
    await put(gateKey);
    await puts();
    open();
    await arrived(gateKey);
    release();
  };

  test('from the first one named on, in their order', async () => {
    await held('gate', async () => {
      await put('a');
      await put('b', { fails: { N: '2' } });
      await put('c');
    });
    await arrived('c', 3);
    expect(
      got.map((batch) => batch.map(({ dynamodb: { Keys } }) => (Keys['pk'] as { S: string }).S)),
    ).toEqual([['gate'], ['a', 'b', 'c'], ['b', 'c'], ['b', 'c']]);
  });

  test('all of it, in halves, after an error', async () => {
    await held('other gate', async () => {
      await put('d');
      await put('e', { fails: { N: '1' }, throws: { S: 'yes' } });
    });
    await arrived('e', 2);
    expect(got.map((batch) => batch.length)).toEqual([1, 2, 1, 1]);
  });

  test('until it is too old', async () => {
    await put('hopeless', { fails: { N: '1000' } });
    await eventually(() => lines.some((line) => line.includes('dead letters of Consumer')));
    await put('next');
    await arrived('next');
  });
});

test('a test may hold a batch back, deliver it twice, or lose it: then it comes again', async () => {
  let deliveries = 0;
  const release = engine.interceptStream(async (_, deliver) => {
    deliveries += 1;
    if (deliveries === 1) return;
    await deliver();
    await deliver();
  });
  await put('held');
  await arrived('held', 2);
  release();
  expect(deliveries).toBe(2);
});

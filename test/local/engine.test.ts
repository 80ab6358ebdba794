import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { startEngine, type Engine } from '../../local/engine.ts';
import { parseStartOptions } from '../../local/start-options.ts';
import { fixture } from './fixture/template.ts';

const dynamoDbOf = ({ awsEndpoint }: Engine): DynamoDBClient =>
  new DynamoDBClient({
    region: 'us-east-1',
    endpoint: awsEndpoint,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });

test('says so when the port is taken', async () => {
  const engine = await startEngine({ assembly: fixture() });
  try {
    const second = startEngine({ assembly: fixture(), port: engine.port });
    await expect(second).rejects.toThrow(`Port ${engine.port} is in use. Set PORT to another one.`);
  } finally {
    await engine.close();
  }
});

test('keeps tables in a data directory', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'engine-'));
  try {
    const first = await startEngine({ assembly: fixture(), dataDir });
    await dynamoDbOf(first).send(new PutItemCommand({ TableName: 'Table', Item: { pk: { S: 'kept' } } }));
    await first.close();

    const second = await startEngine({ assembly: fixture(), dataDir });
    const get = new GetItemCommand({ TableName: 'Table', Key: { pk: { S: 'kept' } } });
    expect((await dynamoDbOf(second).send(get)).Item).toEqual({ pk: { S: 'kept' } });
    await second.close();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('closes in the middle of everything', async () => {
  const wait = { StartAt: 'Wait', States: { Wait: { Type: 'Wait', Seconds: 3600, End: true } } };
  const ends: unknown[] = [];
  const engine = await startEngine({
    assembly: fixture({ Wait: wait }),
    onExecutionEnd: (end) => ends.push(end),
  });
  const stream = await fetch(`${engine.url}/stream?forever=1`);
  await fetch(engine.awsEndpoint, {
    method: 'POST',
    headers: { 'x-amz-target': 'AWSStepFunctions.StartExecution' },
    body: JSON.stringify({ stateMachineArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:Wait' }),
  });
  await engine.close();
  await engine.close();
  await expect(stream.text()).rejects.toThrow();
  await expect(fetch(engine.url)).rejects.toThrow();
  expect(ends).toEqual([]);
});

test('refuses a machine it could not run', async () => {
  const machine = { StartAt: 'S', States: { S: { Type: 'Pass', Assign: { a: 1 }, End: true } } };
  await expect(startEngine({ assembly: fixture({ Vars: machine }) })).rejects.toThrow(
    'The local engine cannot run Vars: state "S" uses Assign.',
  );
});

test('the options of npm start', () => {
  expect(parseStartOptions(['--data', 'here'], { PORT: '4000' })).toEqual({
    port: 4000,
    dataDir: 'here',
    auth: false,
  });
  expect(parseStartOptions([], {})).toEqual({ port: 3000, dataDir: undefined, auth: false });
  expect(parseStartOptions(['--help'], {})).toBe('help');
  expect(() => parseStartOptions(['--date', 'x'], {})).toThrow(/Unknown option '--date'/);
  expect(() => parseStartOptions([], { PORT: 'http' })).toThrow(/PORT must be a port number/);
});

import { describe, expect, test } from '@jest/globals';
import { RemovalPolicy } from 'aws-cdk-lib';
import { contextNames, parseSettings, SettingsError } from '../../lib/settings.ts';

test('a stack that anybody may call has to be asked for in so many words', () => {
  expect(() => parseSettings({})).toThrow(SettingsError);
  expect(() => parseSettings({})).toThrow(/^auth: This stack has no authentication yet.*-c auth=none$/s);
  expect(() => parseSettings({ auth: 'open' })).toThrow(/-c auth=none/);
  expect(() => parseSettings({ auth: '' })).toThrow(/-c auth=none/);
});

test('everything else has a default', () => {
  expect(parseSettings({ auth: 'none' })).toMatchObject({
    stackName: 'McpTasks',
    serverName: 'serverless-mcp-tasks',
    serverVersion: expect.any(String),
    protectData: false,
    dataRemoval: RemovalPolicy.DESTROY,
  });
});

test('context that the CDK does not find arrives as undefined, and means the default', () => {
  const context = Object.fromEntries(contextNames.map((name) => [name, undefined]));

  expect(parseSettings({ ...context, auth: 'none' })).toEqual(parseSettings({ auth: 'none' }));
});

describe('the command line gives texts', () => {
  test.each([
    ['true', true],
    ['false', false],
    [true, true],
  ])('protectData=%j', (given, protectData) => {
    expect(parseSettings({ auth: 'none', protectData: given }).protectData).toBe(protectData);
  });

  test('numbers', () => {
    expect(
      parseSettings({ auth: 'none', listenTasksPerStream: '0', listenSecondsPerStream: '840' }),
    ).toMatchObject({ listenTasksPerStream: 0, listenSecondsPerStream: 840 });
  });

  test('protected data stay when the stack goes', () => {
    expect(parseSettings({ auth: 'none', protectData: 'true' }).dataRemoval).toBe(RemovalPolicy.RETAIN);
  });
});

describe('a bad value is named', () => {
  test.each([
    ['protectData', 'yes'],
    ['protectData', ''],
    ['stackName', 'has spaces'],
    ['stackName', '1st'],
    ['serverName', ''],
    ['serverVersion', ''],
    ['streaming', 'maybe'],
    ['listenTasksPerStream', '-1'],
    ['listenTasksPerStream', '101'],
    ['listenTasksPerStream', 'many'],
    ['listenSecondsPerStream', '0'],
    ['listenSecondsPerStream', '841'],
    ['listenSecondsPerStream', '1.5'],
  ])('%s=%j', (name, value) => {
    expect(() => parseSettings({ auth: 'none', [name]: value })).toThrow(new RegExp(`^${name}: .+$`));
  });

  test('each of several', () => {
    expect(() => parseSettings({ stackName: '!', serverName: '' })).toThrow(
      /^auth: .*\nstackName: .*\nserverName: .*$/,
    );
  });
});

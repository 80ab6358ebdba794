import { describe, expect, test } from '@jest/globals';
import { RemovalPolicy } from 'aws-cdk-lib';
import { contextNames, parseSettings, SettingsError } from '../../lib/settings.ts';

test('a stack that anybody may call has to be asked for in so many words', () => {
  expect(parseSettings({}).auth).toBe('cognito');
  expect(() => parseSettings({ auth: 'open' })).toThrow(SettingsError);
  expect(() => parseSettings({ auth: 'open' })).toThrow(
    /^auth: "open" is no way .* cognito .* none \(open to everybody\)/s,
  );
  expect(() => parseSettings({ auth: '' })).toThrow(/^auth: /);
});

describe('settings that need others name them, and the next step', () => {
  test('auth=jwt', () => {
    expect(() => parseSettings({ auth: 'jwt' })).toThrow(
      /^jwtIssuer: is missing: .* -c jwtIssuer=https:.*\njwtAudience: is missing: .*\njwtScopes: is missing: /,
    );
    expect(() => parseSettings({ auth: 'jwt', jwtIssuer: 'https://i.example', jwtAudience: 'a' })).toThrow(
      /^jwtScopes: is missing: .* -c jwtScopes=…$/,
    );
  });

  test.each([
    [{ domainName: 'mcp.example.com' }, /^certificateArn: is missing: .* -c certificateArn=arn:/],
    [{ certificateArn: 'arn:aws:acm:x' }, /^domainName: is missing: .* -c domainName=/],
    [{ hostedZoneId: 'Z1' }, /^domainName: is missing: .*\nhostedZoneName: is missing: /],
  ])('%j', (given, message) => {
    expect(() => parseSettings(given)).toThrow(message);
  });

  test('lists come as texts from the command line and as lists from cdk.json', () => {
    const jwt = { auth: 'jwt', jwtIssuer: 'https://i.example', jwtAudience: 'a' };

    for (const jwtScopes of ['mcp:tools mcp:more', 'mcp:tools,mcp:more', ['mcp:tools', 'mcp:more']]) {
      expect(parseSettings({ ...jwt, jwtScopes }).jwtScopes).toEqual(['mcp:tools', 'mcp:more']);
    }
  });
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
    ['jwtIssuer', 'http://issuer.example'],
    ['jwtIssuer', 'issuer.example'],
    ['jwtScopes', 'say"what'],
    ['authorizerCacheSeconds', '3601'],
    ['requestsPerSecond', '0'],
    ['logTenants', 'yes'],
    ['streaming', 'maybe'],
    ['listenTasksPerStream', '-1'],
    ['listenTasksPerStream', '101'],
    ['listenTasksPerStream', 'many'],
    ['listenSecondsPerStream', '0'],
    ['listenSecondsPerStream', '841'],
    ['listenSecondsPerStream', '1.5'],
    ['waitSeconds', '0'],
    ['waitSeconds', '301'],
  ])('%s=%j', (name, value) => {
    expect(() => parseSettings({ auth: 'none', [name]: value })).toThrow(new RegExp(`^${name}: .+$`));
  });

  test('a wait that the API would cut', () => {
    const settings = { auth: 'none', streaming: 'false' };
    expect(parseSettings({ ...settings, waitSeconds: '25' }).waitSeconds).toBe(25);
    expect(() => parseSettings({ ...settings, waitSeconds: '26' })).toThrow(
      'waitSeconds: must be at most 25 with streaming=false',
    );
  });

  test('each of several', () => {
    expect(() => parseSettings({ auth: '!', stackName: '!', serverName: '' })).toThrow(
      /^auth: .*\nstackName: .*\nserverName: .*$/,
    );
  });
});

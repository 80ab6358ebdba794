import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Functions } from '../../local/lambda/functions.ts';
import { ResolvedTemplate } from '../../local/template.ts';
import { eventually } from './fixture/eventually.ts';
import { fixture } from './fixture/template.ts';

const { directory, template } = fixture();
const log: string[] = [];
let functions: Functions;

beforeAll(() => {
  functions = new Functions({
    template: new ResolvedTemplate(template),
    directory,
    awsEndpoint: 'http://127.0.0.1:1',
    log: (name, line) => log.push(`${name}: ${line}`),
  });
});
beforeEach(() => {
  log.length = 0;
});
afterAll(() => functions.close());

const invoke = async (event: object, name = 'Worker'): Promise<unknown> => {
  const outcome = await functions.get(name).invoke(event);
  return 'payload' in outcome ? JSON.parse(outcome.payload) : outcome;
};
const failure = (errorType: string, errorMessage: unknown = expect.any(String)) => ({
  error: expect.objectContaining({ errorType, errorMessage }),
});

test('runs the bundle with an environment of its own', async () => {
  process.env.NOT_FOR_FUNCTIONS = 'secret';
  const { env } = (await invoke({ do: 'environment' })) as { env: Record<string, string> };
  expect(env).toMatchObject({
    TABLE_NAME: 'Table',
    AWS_REGION: 'us-east-1',
    AWS_LAMBDA_FUNCTION_NAME: 'Worker',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
    AWS_ACCESS_KEY_ID: 'Worker',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
    AWS_ENDPOINT_URL_SFN: 'http://127.0.0.1:1',
  });
  expect(env).not.toHaveProperty('NODE_OPTIONS');
  expect(env).not.toHaveProperty('NOT_FOR_FUNCTIONS');
});

test('gives the handler its context', async () => {
  const context = (await invoke({ do: 'context' })) as { remaining: number };
  expect(context).toMatchObject({
    awsRequestId: expect.any(String),
    functionName: 'Worker',
    invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:Worker',
    memoryLimitInMB: '256',
  });
  expect(context.remaining).toBeGreaterThan(0);
  expect(context.remaining).toBeLessThanOrEqual(1000);
});

test('reports a thrown error as Lambda does', async () => {
  expect(await invoke({ do: 'throw', name: 'ToolError', message: 'no such row' })).toEqual({
    error: {
      errorType: 'ToolError',
      errorMessage: 'no such row',
      trace: expect.arrayContaining([expect.any(String)]),
    },
  });
});

test('runs invocations side by side', async () => {
  const events = [1, 2, 3].map((n) => ({ n }));
  expect(await Promise.all(events.map((event) => invoke(event)))).toEqual(events);
});

test('hands the lines of the function to the log', async () => {
  await invoke({ do: 'log', line: 'hello' });
  await eventually(() => log.includes('Worker: hello'));
});

test('ends an invocation that takes too long, and goes on with a new worker', async () => {
  const outcome = await invoke({ do: 'hang' });
  expect(outcome).toEqual(
    failure('Sandbox.Timedout', expect.stringMatching(/Task timed out after 1\.00 seconds/)),
  );
  expect(await invoke({ do: 'invocations' })).toBe(1);
});

test('replaces a worker that exits', async () => {
  expect(await invoke({ do: 'exit' })).toEqual(
    failure('Runtime.ExitError', 'Runtime exited with error: exit status 7'),
  );
  expect(await invoke({ do: 'invocations' })).toBe(1);
});

test('replaces a worker that dies of an unhandled rejection', async () => {
  const outcome = await invoke({ do: 'reject unhandled' });
  expect(outcome).toEqual(failure('Runtime.UnhandledPromiseRejection', 'Error: nobody waits for this'));
  expect(await invoke({ do: 'invocations' })).toBe(1);
});

test('reports a bundle that does not load, each time', async () => {
  expect(await invoke({}, 'Broken')).toEqual(failure('TypeError', 'the bundle does not load'));
  expect(await invoke({}, 'Broken')).toEqual(failure('TypeError', 'the bundle does not load'));
});

test('refuses a response above 6 MB', async () => {
  expect(await invoke({ do: 'size', size: 6_291_557 })).toEqual(failure('Function.ResponseSizeTooLarge'));
});

test('names a function it cannot run', () => {
  expect(() => functions.get('Nobody')).toThrow(/no function Nobody/);
});

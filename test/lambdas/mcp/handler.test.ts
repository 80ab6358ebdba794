import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context, Handler } from 'aws-lambda';
import { apiEvent } from '../../support/api-event.ts';

// The deployed entry point itself. Nothing listens at the AWS endpoints: whoever needs one meets an outage.
const environment = {
  SERVER_NAME: 'test',
  SERVER_VERSION: '1.2.3',
  TASK_TABLE: 'Tasks',
  RESULT_BUCKET: 'results',
  INLINE_RESULT_BYTES: '2500000',
  TASK_RETENTION_MINUTES: '60',
  STALE_TASK_SECONDS: '60',
  STREAMING: 'off',
  LISTEN_TASKS_PER_STREAM: '20',
  WAIT_SECONDS: '20',
  LEGACY_TASKS: 'on',
  LISTEN_SECONDS_PER_STREAM: '300',
  ALLOWED_ORIGINS: '',
  LIST_CACHE_SECONDS: '60',
  LIST_CACHE_SCOPE: 'private',
  AUTH: 'none',
  IAM_TENANT: 'principal',
  MAX_REQUEST_BYTES: '1000000',
  LOG_TENANTS: 'plain',
  STATE_MACHINES: JSON.stringify({
    countdown: 'arn:aws:states:eu-central-1:123456789012:stateMachine:countdown',
  }),
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'none',
  AWS_SECRET_ACCESS_KEY: 'none',
  AWS_MAX_ATTEMPTS: '1',
  AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
  POWERTOOLS_LOG_LEVEL: 'SILENT',
};
const before = { ...process.env };
let handler: Handler<APIGatewayProxyEvent, APIGatewayProxyResult>;

beforeAll(async () => {
  Object.assign(process.env, environment);
  ({ handler } = await import('../../../lambdas/mcp/handler.ts'));
});
afterAll(() => {
  process.env = before;
});

const post = async (headers: Record<string, string>, body: string): Promise<APIGatewayProxyResult> => {
  const event = apiEvent(
    {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  );
  return (await handler(event, {} as Context, () => undefined)) as APIGatewayProxyResult;
};

const request = async (method: string, params: Record<string, unknown> = {}, name?: string) => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test-client', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  };
  const { statusCode, body } = await post(
    {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(name === undefined ? {} : { 'Mcp-Name': name }),
    },
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  );
  return { statusCode, body: JSON.parse(body) };
};

test('introduces itself by the names that the stack gave it', async () => {
  const { body } = await request('server/discover');

  expect(body.result._meta['io.modelcontextprotocol/serverInfo']).toMatchObject({
    name: 'test',
    version: '1.2.3',
  });
});

test('serves a synchronous tool without AWS', async () => {
  const { statusCode, body } = await request(
    'tools/call',
    { name: 'list_migrations', arguments: {} },
    'list_migrations',
  );

  expect(statusCode).toBe(200);
  expect(body.result.structuredContent.migrations.map(({ name }: { name: string }) => name)).toContain(
    'lowercase_emails',
  );
});

test('keeps the status of the protocol', async () => {
  expect((await request('tasks/list')).statusCode).toBe(404);
});

test('an outage is an answer in neutral words, not a crash of the Lambda', async () => {
  const taskId = 'tsk_0123456789abcdefghijkl';
  const { statusCode, body } = await request('tasks/get', { taskId }, taskId);

  expect(statusCode).toBe(200);
  expect(body.error.code).toBe(-32603);
  expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|ECONNREFUSED|Tasks\b|\.ts/);
});

describe('an array of messages is refused, also in the form the 2025 revisions once had', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  test.each([
    ['of an old client', {}],
    ['with the current version in the header', { 'MCP-Protocol-Version': '2026-07-28' }],
  ])('%s', async (_, headers) => {
    const { statusCode, body } = await post(headers, JSON.stringify([list, { ...list, id: 2 }]));

    expect(statusCode).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ error: { code: -32600 } });
  });
});

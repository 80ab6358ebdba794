import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Server } from 'node:http';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { closeServer, listen, portOf, readBody } from '../../../local/http.ts';

const TAGGED =
  '<Tagging><TagSet><Tag><Key>emptied-on-removal</Key><Value>true</Value></Tag></TagSet></Tagging>';
const listing = (keys: string[], next?: string): string =>
  `<ListBucketResult><IsTruncated>${next !== undefined}</IsTruncated>
    ${next ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}
    ${keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')}</ListBucketResult>`;
const error = (code: string): [number, string] => [404, `<Error><Code>${code}</Code></Error>`];

let server: Server;
let handler: (event: CloudFormationCustomResourceEvent) => Promise<void>;
/** What S3 has, and says. */
let s3: { tags: [number, string]; pages: Record<string, string>; deletion: string };
let deleted: string[];
let answered: { headers: Record<string, unknown>; body: Record<string, unknown> }[];

/** S3 and CloudFormation, as far as they are spoken to. */
beforeAll(async () => {
  server = await listen(
    async (request, response) => {
      const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
      const body = String(await readBody(request, 1_000_000));
      const say = (status: number, text: string) => void response.writeHead(status).end(text);
      if (pathname === '/answer') {
        answered.push({ headers: request.headers, body: JSON.parse(body) });
        return say(200, '');
      }
      expect(pathname).toBe('/results/');
      if (searchParams.has('tagging')) return say(...s3.tags);
      if (searchParams.has('delete')) {
        deleted.push(...[...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => key!));
        return say(200, s3.deletion);
      }
      say(200, s3.pages[searchParams.get('continuation-token') ?? '']!);
    },
    0,
    '127.0.0.1',
  );
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${portOf(server)}`,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  });
  ({ handler } = await import('../../../lambdas/removal/handler.ts'));
});
afterAll(() => closeServer(server));

beforeEach(() => {
  s3 = {
    tags: [200, TAGGED],
    pages: { '': listing(['a', 'b'], 'more'), more: listing(['c']) },
    deletion: '<DeleteResult/>',
  };
  deleted = [];
  answered = [];
});

const ask = (RequestType: 'Create' | 'Update' | 'Delete') =>
  handler({
    RequestType,
    ResponseURL: `http://127.0.0.1:${portOf(server)}/answer`,
    StackId: 'stack',
    RequestId: 'request',
    LogicalResourceId: 'Removal',
    ResourceProperties: { ServiceToken: '', bucket: 'results' },
  } as never);

const SUCCESS = {
  Status: 'SUCCESS',
  PhysicalResourceId: 'results',
  ...{ StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Removal' },
};

test('every object is deleted, page by page, before the bucket is', async () => {
  await ask('Delete');
  expect(deleted).toEqual(['a', 'b', 'c']);
  expect(answered.map(({ body }) => body)).toEqual([SUCCESS]);
  // The address is signed for none.
  expect(answered[0]!.headers).not.toHaveProperty('content-type');
});

test.each(['Create', 'Update'] as const)('%s touches nothing', async (type) => {
  await ask(type);
  expect(deleted).toEqual([]);
  expect(answered.map(({ body }) => body)).toEqual([SUCCESS]);
});

test.each([
  ['has lost its tag, since its stack is to keep it', [200, '<Tagging><TagSet></TagSet></Tagging>']],
  ['never had one', error('NoSuchTagSet')],
  ['is gone', error('NoSuchBucket')],
] as [string, [number, string]][])('a bucket that %s is left alone', async (_, tags) => {
  s3.tags = tags;
  await ask('Delete');
  expect(deleted).toEqual([]);
  expect(answered.map(({ body }) => body)).toEqual([SUCCESS]);
});

test('an empty bucket is no error', async () => {
  s3.pages = { '': listing([]) };
  await ask('Delete');
  expect(deleted).toEqual([]);
  expect(answered.map(({ body }) => body)).toEqual([SUCCESS]);
});

test('an object that stays fails the removal, which says so', async () => {
  s3.deletion =
    '<DeleteResult><Error><Key>a</Key><Code>AccessDenied</Code><Message>No.</Message></Error></DeleteResult>';
  await ask('Delete');
  expect(answered.map(({ body }) => body)).toEqual([
    {
      ...SUCCESS,
      Status: 'FAILED',
      Reason: 'results could not be emptied: 1 objects stay: AccessDenied No.',
    },
  ]);
});

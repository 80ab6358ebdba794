import type { IncomingMessage } from 'node:http';
import type { ResolvedTemplate } from '../template.ts';
import type { AwsReply } from './calls.ts';

/** As much of S3 as a large result needs: PutObject and GetObject by path, in memory, and URLs that expire. */
export class S3 {
  private readonly buckets: string[];
  private readonly objects = new Map<string, { body: Buffer; type: string }>();

  constructor(template: ResolvedTemplate) {
    this.buckets = template
      .resources('AWS::S3::Bucket')
      .map(({ arn }) => arn.slice(arn.lastIndexOf(':') + 1));
  }

  /** Whether a request is for a bucket of the template. */
  owns({ url = '' }: IncomingMessage): boolean {
    return this.buckets.some((bucket) => url.startsWith(`/${bucket}/`));
  }

  operationOf({ method }: IncomingMessage): string {
    return method === 'PUT' ? 'PutObject' : method === 'GET' ? 'GetObject' : String(method);
  }

  serve({ method, url = '', headers }: IncomingMessage, body: Buffer): AwsReply {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (isExpired(searchParams)) return failure(403, 'AccessDenied', 'Request has expired');
    if (method === 'PUT') {
      this.objects.set(pathname, { body, type: headers['content-type'] ?? 'binary/octet-stream' });
      return { status: 200, headers: {}, body: '' };
    }
    if (method !== 'GET') return failure(501, 'NotImplemented', `The local engine has no ${method} object.`);
    const found = this.objects.get(pathname);
    if (!found) return failure(404, 'NoSuchKey', 'The specified key does not exist.');
    return { status: 200, headers: { 'content-type': found.type }, body: found.body.toString() };
  }
}

/** A presigned URL says when it was signed (20261231T235959Z) and for how many seconds. */
const isExpired = (query: URLSearchParams): boolean => {
  const [, ...date] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(query.get('X-Amz-Date') ?? '') ?? [];
  if (date.length === 0) return false;
  const [year, month, day, hour, minute, second] = date.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const signed = Date.UTC(year, month - 1, day, hour, minute, second);
  return Date.now() > signed + Number(query.get('X-Amz-Expires')) * 1000;
};

const failure = (status: number, code: string, message: string): AwsReply => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`,
});

import { createHash, createHmac } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

export interface AwsRequest {
  /** As its endpoint is called: `cloudformation`. */
  service: string;
  path?: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * One signed POST to an AWS service whose client is not worth a dependency. Region, credentials and endpoint are found
 * as any AWS SDK finds them, AWS_ENDPOINT_URL included.
 * @throws with the service's own words when it refuses
 */
export const awsRequest = async ({ service, path = '/', headers, body }: AwsRequest): Promise<string> => {
  const { config } = new DynamoDBClient();
  const region = await config.region();
  const credentials = await config.credentials();
  const url = new URL(path, process.env['AWS_ENDPOINT_URL'] ?? `https://${service}.${region}.amazonaws.com`);
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const signed: Record<string, string> = {
    host: url.host,
    'x-amz-date': time,
    ...(credentials.sessionToken ? { 'x-amz-security-token': credentials.sessionToken } : {}),
    ...headers,
  };
  const authorization = sign({
    signed,
    path: url.pathname,
    body,
    time,
    scope: [time.slice(0, 8), region, service],
    credentials,
  });
  const { host: _, ...sent } = signed;
  const response = await fetch(url, { method: 'POST', headers: { ...sent, authorization }, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${service} answered ${response.status}: ${text.slice(0, 500)}`);
  return text;
};

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

interface ToSign {
  signed: Record<string, string>;
  path: string;
  body: string;
  time: string;
  scope: [date: string, region: string, service: string];
  credentials: { accessKeyId: string; secretAccessKey: string };
}

/** Signature Version 4: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
const sign = ({ signed, path, body, time, scope, credentials }: ToSign): string => {
  const names = Object.keys(signed).sort();
  const lines = names.map((name) => `${name}:${signed[name]}\n`).join('');
  const canonical = ['POST', path, '', lines, names.join(';'), hash(body)].join('\n');
  const credentialScope = [...scope, 'aws4_request'].join('/');
  const toSign = ['AWS4-HMAC-SHA256', time, credentialScope, hash(canonical)].join('\n');
  const key = [...scope, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
  const signature = hmac(key, toSign).toString('hex');
  const credential = `${credentials.accessKeyId}/${credentialScope}`;
  return `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
};

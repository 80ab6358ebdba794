import { randomUUID } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { ExecutionInput } from '../protocol/ports.ts';
import type { StoredResult } from '../protocol/task.ts';

const environment = z.object({ RESULT_BUCKET: z.string(), STORE_ABOVE_BYTES: z.coerce.number() });

let client: S3Client | undefined;

/**
 * The tool result of a step made with `kit.run(…, { largeResult: true })`. Between states nothing larger than 256 KiB
 * passes, so a large result takes a way of its own: it is stored here, and the record only says where.
 */
export const storeResult = async (
  task: ExecutionInput['task'],
  result: CallToolResult,
): Promise<CallToolResult | { storedResult: StoredResult }> => {
  const { RESULT_BUCKET, STORE_ABOVE_BYTES } = environment.parse(process.env);
  const body = JSON.stringify({ ...result, resultType: 'complete' });
  // The state that writes it into the record carries it as a text in JSON: quotes count twice.
  if (Buffer.byteLength(JSON.stringify(body)) <= STORE_ABOVE_BYTES) return result;

  const { PutObjectCommand } = await import('@aws-sdk/client-s3');
  const { s3Client } = await import('../aws/s3-client.ts');
  client ??= s3Client();
  const key = `${task.id}/${randomUUID()}.json`;
  await client.send(
    new PutObjectCommand({ Bucket: RESULT_BUCKET, Key: key, Body: body, ContentType: 'application/json' }),
  );
  return { storedResult: { key, bytes: Buffer.byteLength(body) } };
};

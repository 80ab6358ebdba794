import { S3Client } from '@aws-sdk/client-s3';
import { attempts } from './limits.ts';

/** Emulators serve buckets by path: there is no host name for each of them on this machine. */
export const s3Client = (): S3Client =>
  new S3Client({ ...attempts(3), forcePathStyle: process.env['AWS_ENDPOINT_URL_S3'] !== undefined });

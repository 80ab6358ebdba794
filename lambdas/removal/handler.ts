import { Logger } from '@aws-lambda-powertools/logger';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { s3Client } from '../aws/s3-client.ts';
import { emptyBucket } from './empty-bucket.ts';

const client = s3Client();
const log = new Logger({ serviceName: 'removal' });

/**
 * A custom resource that does nothing until it is deleted.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/crpg-ref-requesttypes-delete.html
 */
export const handler = async (event: CloudFormationCustomResourceEvent): Promise<void> => {
  // Another bucket is another resource: CloudFormation then asks to delete the one before.
  const bucket = String(event.ResourceProperties['bucket']);
  try {
    if (event.RequestType === 'Delete') await emptyBucket(client, bucket);
    await answer(event, { Status: 'SUCCESS', PhysicalResourceId: bucket });
  } catch (error) {
    log.error('The bucket could not be emptied', { bucket, error: error as Error });
    await answer(event, {
      Status: 'FAILED',
      PhysicalResourceId: bucket,
      Reason: `${bucket} could not be emptied: ${(error as Error).message}`,
    });
  }
};

/** To an address that is signed for a request without a content type, so the body is no text. */
const answer = async (
  { ResponseURL, StackId, RequestId, LogicalResourceId }: CloudFormationCustomResourceEvent,
  words: object,
): Promise<void> => {
  const body = Buffer.from(JSON.stringify({ StackId, RequestId, LogicalResourceId, ...words }));
  const response = await fetch(ResponseURL, { method: 'PUT', body });
  // Lambda tries again.
  if (!response.ok) throw new Error(`CloudFormation took no answer: ${response.status}`);
};

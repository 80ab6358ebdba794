import assert from 'node:assert/strict';
import {
  DeleteBucketTaggingCommand,
  ListObjectsV2Command,
  PutBucketTaggingCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { TAG } from '../../lambdas/removal/empty-bucket.ts';
import { closeServer, listen, portOf, readBody } from '../../local/http.ts';
import { awsRequest } from '../../scripts/aws-request.ts';
import { physicalId } from './stack-resources.ts';

/**
 * The emulator deletes buckets with objects in them, so `cdk destroy` cannot show that they are emptied first. Here
 * the stack's own Lambda is asked as CloudFormation asks it.
 */
export const emptiesResults = async (stack: string): Promise<void> => {
  const Bucket = await physicalId(stack, 'AWS::S3::Bucket');
  const emptier = await physicalId(stack, 'AWS::Lambda::Function', /Emptied/);
  const s3 = new S3Client({ forcePathStyle: true });
  const results = ['another/result', 'one result'];
  for (const Key of results) await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'large' }));
  const left = async (): Promise<(string | undefined)[]> => {
    assert.equal(await askToDelete(emptier, Bucket), 'SUCCESS');
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    return Contents.map(({ Key }) => Key);
  };

  await s3.send(new DeleteBucketTaggingCommand({ Bucket }));
  assert.deepEqual(await left(), results, 'a bucket that its stack is told to keep');
  // The emulator drops the tags of the template (probes.ts).
  await s3.send(new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet: [{ Key: TAG, Value: 'true' }] } }));
  assert.deepEqual(await left(), []);
};

/** @returns the status that the Lambda reports */
const askToDelete = async (functionName: string, bucket: string): Promise<unknown> => {
  let answer: { Status?: string; Reason?: string } = {};
  const cloudFormation = await listen(
    async (request, response) => {
      answer = JSON.parse(String(await readBody(request, 10_000)));
      response.end();
    },
    0,
    '127.0.0.1',
  );
  try {
    await awsRequest({
      service: 'lambda',
      path: `/2015-03-31/functions/${functionName}/invocations`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        RequestType: 'Delete',
        ResponseURL: `http://127.0.0.1:${portOf(cloudFormation)}/`,
        ...{ StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Removal' },
        ResourceProperties: { bucket },
      }),
    });
    return answer.Reason ?? answer.Status;
  } finally {
    await closeServer(cloudFormation);
  }
};

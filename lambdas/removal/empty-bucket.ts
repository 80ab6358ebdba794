import {
  DeleteObjectsCommand,
  GetBucketTaggingCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';

/** On buckets that go with their stack. A bucket whose stack is told to keep it has it no more. */
export const TAG = 'emptied-on-removal';
export type Tag = typeof TAG;

/**
 * Deletes every object, unless the bucket has lost its tag: its custom resource also goes when a stack learns to
 * protect its data, and then the bucket stays as it is.
 */
export const emptyBucket = async (client: S3Client, Bucket: string): Promise<void> => {
  if (!(await isTagged(client, Bucket))) return;
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
    if (Contents.length === 0) continue;
    const Objects = Contents.map(({ Key }) => ({ Key }));
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
    );
    // It answers 200 with what it could not delete.
    if (Errors[0]) throw new Error(`${Errors.length} objects stay: ${Errors[0].Code} ${Errors[0].Message}`);
  }
};

/** Neither a bucket without tags nor one that somebody has deleted is an obstacle. */
const isTagged = async (client: S3Client, Bucket: string): Promise<boolean> => {
  try {
    const { TagSet = [] } = await client.send(new GetBucketTaggingCommand({ Bucket }));
    return TagSet.some(({ Key }) => Key === TAG);
  } catch (error) {
    if (['NoSuchTagSet', 'NoSuchBucket'].includes((error as Error).name)) return false;
    throw error;
  }
};

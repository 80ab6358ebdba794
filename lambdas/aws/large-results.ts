import type { StoredResult } from '../protocol/task.ts';
import { within } from './limits.ts';

/** A link to a result, in a text of its own: whoever has it may read, so it does not live long. */
const URL_SECONDS = 900;

export interface LargeResultsOptions {
  bucket: string;
  /** The largest result, in bytes of JSON, that is delivered in a response; above it goes a link. */
  inlineBytes: number;
}

/** Loaded with the first large result; most servers never see one. */
const load = async () => {
  const [sdk, { s3Client }, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('./s3-client.ts'),
    import('@aws-sdk/s3-request-presigner'),
  ]);
  return { sdk, client: s3Client(), getSignedUrl };
};
let loaded: ReturnType<typeof load> | undefined;

/** Reads a stored result as the JSON of a CallToolResult. */
export type ReadResult = (stored: StoredResult) => Promise<string>;

export const largeResults =
  ({ bucket, inlineBytes }: LargeResultsOptions): ReadResult =>
  async ({ key, bytes }) => {
    const { sdk, client, getSignedUrl } = await (loaded ??= load());
    const object = new sdk.GetObjectCommand({ Bucket: bucket, Key: key });
    if (bytes <= inlineBytes) {
      const { Body } = await client.send(object, within());
      if (Body === undefined) throw new Error(`The stored result ${key} is empty`);
      return Body.transformToString();
    }
    const uri = await getSignedUrl(client, object, { expiresIn: URL_SECONDS });
    return JSON.stringify({
      resultType: 'complete',
      content: [
        {
          type: 'text',
          text: `The result has ${bytes} bytes, too many for a response. The link gives it as JSON for ${URL_SECONDS / 60} minutes; ask for the task again for a new one.`,
        },
        { type: 'resource_link', uri, name: 'result.json', mimeType: 'application/json', size: bytes },
      ],
    });
  };

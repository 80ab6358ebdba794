import type { StreamMetadata } from './proxy-result.ts';

/** Between metadata and body of a streamed response stand eight NUL bytes, within the first 16 KB. */
const DELIMITER = Buffer.alloc(8);
const MAX_PRELUDE_BYTES = 16 * 1024;

export interface Prelude {
  metadata: StreamMetadata;
  /** What of the body came along. */
  rest: Buffer;
}

/** Collects the chunks of a streamed response until its metadata are there. */
export class PreludeParser {
  private received = Buffer.alloc(0);

  /** Undefined as long as the delimiter has not come. @throws if it cannot be a prelude */
  push(chunk: Uint8Array): Prelude | undefined {
    this.received = Buffer.concat([this.received, chunk]);
    const end = this.received.indexOf(DELIMITER);
    if (end > MAX_PRELUDE_BYTES || (end < 0 && this.received.length > MAX_PRELUDE_BYTES)) {
      throw new Error('The stream has no metadata in its first 16 KB.');
    }
    if (end < 0) return undefined;
    return {
      metadata: JSON.parse(this.received.subarray(0, end).toString()) as StreamMetadata,
      rest: this.received.subarray(end + DELIMITER.length),
    };
  }
}

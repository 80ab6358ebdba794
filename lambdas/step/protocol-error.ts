import { clip } from '../protocol/clip.ts';

/** Ends a task as `failed` with this JSON-RPC error, as if the original request had been answered with it. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';

  /**
   * @param code JSON-RPC error code.
   * @param message for the caller; cut to 2,000 bytes.
   */
  constructor(code: number, message: string) {
    // A Lambda reports no more of an error than its name and message: the message carries both parts as JSON.
    super(JSON.stringify({ code, message: clip(message, 2_000) }));
  }
}

import { clip } from './clip.ts';

/**
 * Step Functions keeps 32,768 characters of a cause. A Lambda reports the message in it twice, by itself and in the
 * stack trace.
 */
const LONGEST_MESSAGE_BYTES = 4_000;

/**
 * Something went wrong that the caller should read: an unknown name, a state that does not allow the request.
 * The call ends as a result with `isError: true`, a task as `completed` with that result.
 */
export class ToolError extends Error {
  // Step Functions tells errors apart by name, and a minified class has lost its own.
  override readonly name = 'ToolError';

  /** @param message for the caller; cut to 4,000 bytes. */
  constructor(message: string) {
    super(clip(message, LONGEST_MESSAGE_BYTES));
  }
}

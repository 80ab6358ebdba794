/** Step Functions keeps 32,768 characters of a cause; a message and its stack trace must fit into it as JSON. */
const LONGEST_MESSAGE = 4_000;

/**
 * Something went wrong that the caller should read: an unknown name, a state that does not allow the request.
 * The call ends as a result with `isError: true`, a task as `completed` with that result.
 */
export class ToolError extends Error {
  // Step Functions tells errors apart by name, and a minified class has lost its own.
  override readonly name = 'ToolError';

  /** @param message for the caller; cut to 4,000 characters. */
  constructor(message: string) {
    super(message.slice(0, LONGEST_MESSAGE));
  }
}

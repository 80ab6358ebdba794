/** Step Functions' limit for an execution's input and for a callback's output, in bytes of UTF-8. */
export const PAYLOAD_LIMIT_BYTES = 262_144;

/** What is nested too deeply to be written as JSON is too large as well. */
export const isTooLarge = (payload: object): boolean => {
  try {
    return Buffer.byteLength(JSON.stringify(payload)) > PAYLOAD_LIMIT_BYTES;
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
};

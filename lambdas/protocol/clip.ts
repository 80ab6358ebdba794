/**
 * The start of a text that is too long, as many whole characters of it as take at most so many bytes of JSON.
 * Step Functions and DynamoDB count bytes, and JSON writes some characters with six.
 */
export const clip = (text: string, maxBytes: number): string => {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += Buffer.byteLength(JSON.stringify(character)) - 2;
    if (bytes > maxBytes) return kept;
    kept += character;
  }
  return text;
};

import { ApiError } from '../api-error.ts';

/** AWS JSON 1.0 writes a time as seconds since 1970. */
export const seconds = (date: Date): number => date.getTime() / 1000;

/** @throws ValidationException unless the member is a text of at most so many bytes */
export const text = (input: Record<string, unknown>, member: string, maxBytes = Infinity): string => {
  const value = input[member];
  const problem =
    typeof value !== 'string'
      ? 'Member must not be null'
      : Buffer.byteLength(value) > maxBytes
        ? `Member must have length less than or equal to ${maxBytes}`
        : undefined;
  if (problem === undefined) return value as string;
  throw new ApiError(
    'ValidationException',
    `1 validation error detected: Value at '${member}' failed to satisfy constraint: ${problem}`,
  );
};

export const isJson = (value: string): boolean => {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
};

export const withoutUndefined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T;

/** A page of a list, and the token of the next one. `maxResults` 0 means the default. */
export const page = <T>(list: readonly T[], input: Record<string, unknown>, defaultSize: number) => {
  const { nextToken, maxResults } = input;
  const start = nextToken === undefined ? 0 : Number(Buffer.from(String(nextToken), 'base64url').toString());
  if (!Number.isInteger(start) || start < 0)
    throw new ApiError('InvalidToken', "Invalid Token: 'Invalid token'");
  const end = start + (Number(maxResults) || defaultSize);
  return {
    items: list.slice(start, end),
    nextToken: end < list.length ? Buffer.from(String(end)).toString('base64url') : undefined,
  };
};

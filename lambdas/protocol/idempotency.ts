import { createHash } from 'node:crypto';
import type { TaskTool } from './define-tool.ts';
import type { Claim } from './ports.ts';
import type { TaskRecord } from './task.ts';

/** The claim of a new task on its business key, or undefined if the tool names none. */
export const claimFor = (
  tool: TaskTool,
  task: TaskRecord,
  args: Record<string, unknown>,
): Claim | undefined => {
  if (tool.idempotencyKey === undefined) return undefined;
  const { tenant, taskId, createdAt, expiresAt } = task;
  return {
    tenant,
    // Hashed: a business key may be long, or hold what a database key should not.
    key: hash([task.tool, tool.idempotencyKey(args)]),
    taskId,
    createdAt,
    fingerprint: hash(args),
    expiresAt,
  };
};

const hash = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('base64url');

/** The order of an object's members is no difference between two calls. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
};

import { ProtocolError, type CallToolResult } from '@modelcontextprotocol/server';
import type { TaskRecord } from './task.ts';
import { detailedTask } from './wire.ts';

/**
 * What the original request would have been answered with; undefined if the task was cancelled, or still works.
 * @throws the JSON-RPC error of a task that failed
 */
export const resultOf = (task: TaskRecord): CallToolResult | undefined => {
  const seen = detailedTask(task);
  if (seen.status === 'failed') {
    const { code, message } = seen.error as { code: number; message: string };
    throw new ProtocolError(code, message);
  }
  if (seen.status !== 'completed') return undefined;
  // The SDK adds it where the revision has it, and the 2025 revisions have not.
  const { resultType: _, ...result } = seen.result;
  return result as unknown as CallToolResult;
};

import { ProtocolError, ProtocolErrorCode, type McpRequestContext } from '@modelcontextprotocol/server';
import type { AnyTool } from '../define-tool.ts';
import type { Server } from '../mcp-server.ts';
import { REVISION } from './wire.ts';

/** Whether this request is of the revision that has these tasks, and the server offers them. */
export const offers2025 = (
  { legacyTasks }: Pick<Server, 'legacyTasks'>,
  { era, requestInfo }: Pick<McpRequestContext, 'era' | 'requestInfo'>,
): boolean =>
  legacyTasks === true && era === 'legacy' && requestInfo?.headers.get('mcp-protocol-version') === REVISION;

/**
 * `execution.taskSupport` of a tool. What has to be settled before there is a task takes rounds, which that revision
 * has not; and questions go out before their request is answered, which takes a response that streams.
 */
export const taskSupportOf = (
  name: string,
  tool: AnyTool,
  { handlers, wait }: Pick<Server, 'handlers' | 'wait'>,
): 'optional' | 'required' | undefined => {
  if (tool.kind !== 'task' || Object.hasOwn(handlers, name)) return undefined;
  if (tool.asks.length > 0 && !wait.streams) return undefined;
  return tool.withoutTasks === 'refuse' ? 'required' : 'optional';
};

/** The 2025-11-25 revision asks for this code (basic/utilities/tasks, Tool-Level Negotiation). */
export class NoTaskOfThisTool extends ProtocolError {
  constructor(name: string) {
    super(ProtocolErrorCode.MethodNotFound, `${name} does not run as a task. Call it without params.task.`);
  }
}

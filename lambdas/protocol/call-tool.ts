import {
  isInputRequiredResult,
  type CallToolResult,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { SyncHandler, SyncTool } from './define-tool.ts';

/** A failure inside a tool is a result the model can read and act on, not a protocol error (server/tools). */
export const toolFailure = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
});

type Checked = { args: Record<string, unknown> } | { failure: CallToolResult; reason: string };

/** Arguments against the tool's schema, before anything is written or run. */
export const checkArguments = (name: string, schema: z.ZodObject, args: unknown = {}): Checked => {
  const parsed = schema.safeParse(args);
  if (parsed.success) return { args: parsed.data };
  const reason = `Invalid arguments for ${name}:\n${z.prettifyError(parsed.error)}`;
  return { failure: toolFailure(reason), reason };
};

/** Runs a synchronous tool. Owes what the SDK's own dispatcher does: output check and projection to the era. */
export const callSyncTool = async (
  mcp: McpServer,
  tool: SyncTool,
  handler: SyncHandler,
  args: Record<string, unknown>,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> => {
  const result = await handler(args, context);
  if (isInputRequiredResult(result) || tool.outputSchema === undefined || result.isError) return result;
  tool.outputSchema.parse(result.structuredContent);
  return mcp.server.projectCallToolResult(result, z.toJSONSchema(tool.outputSchema, { io: 'output' }));
};

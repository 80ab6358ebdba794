import {
  McpServer,
  type AuthInfo,
  type InputRequiredResult,
  type McpRequestContext,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { sendTaskResultsBare } from './bare-task-results.ts';
import { callSyncTool, checkArguments, toolFailure } from './call-tool.ts';
import { declaredBy, requireTasks, requireTaskTool, TASKS_EXTENSION } from './capabilities.ts';
import type { SyncHandler, ToolTable } from './define-tool.ts';
import { answerErrors, InvalidParams, UnknownTool, type Log } from './errors.ts';
import type { ListenLimits } from './listen.ts';
import type { TaskRef } from './task.ts';
import { TooLarge, type Tasks } from './tasks.ts';
import { createTaskResult, detailedTask } from './wire.ts';

export interface Server {
  name: string;
  version: string;
  tools: ToolTable;
  handlers: Record<string, SyncHandler>;
  tasks: Tasks;
  /** Whose tasks a caller may reach, from what the API has verified about them; undefined where nobody is asked. */
  tenantOf(caller: AuthInfo | undefined): string;
  listen: ListenLimits;
  log: Log;
}

const taskParams = z.looseObject({ taskId: z.string() });

/** One MCP server for one request: the SDK's dispatcher, with tools that may become tasks and the task methods. */
export const mcpServerFor =
  (server: Server) =>
  ({ era }: Pick<McpRequestContext, 'era'>): McpServer => {
    const mcp = new McpServer(
      { name: server.name, version: server.version },
      {
        capabilities: {
          // Behind an API that buffers, nothing may be pushed outside a request: lists do not announce changes.
          tools: { listChanged: false },
          // The 2025 revisions know another kind of tasks; this one is not theirs to see.
          ...(era === 'modern' ? { extensions: { [TASKS_EXTENSION]: {} } } : {}),
        },
      },
    );
    sendTaskResultsBare(mcp);
    listTools(mcp, server.tools);
    serveToolCalls(mcp, server);
    if (era === 'modern') serveTasks(mcp, server);
    return mcp;
  };

/** The SDK lists what is registered, and checks `Mcp-Param-*` headers by it. Calls go to `serveToolCalls`. */
const listTools = (mcp: McpServer, tools: ToolTable): void => {
  for (const [name, { title, description, inputSchema, outputSchema, annotations }] of Object.entries(
    tools,
  )) {
    mcp.registerTool(name, { title, description, inputSchema, outputSchema, annotations }, () => {
      throw new UnknownTool(name);
    });
  }
};

const serveToolCalls = (mcp: McpServer, { tools, handlers, tasks, tenantOf, log }: Server): void => {
  // The SDK's own dispatcher turns every error into a tool result, and -32021 must not be one.
  mcp.server.setRequestHandler(
    'tools/call',
    answerErrors(log)(async ({ params }, context) => {
      const { name } = params;
      const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
      if (tool === undefined) throw new UnknownTool(name);
      if (tool.kind === 'task') requireTaskTool(name, tool, context);

      const checked = checkArguments(name, tool.inputSchema, params.arguments);
      if ('failure' in checked) return checked.failure;
      if (tool.kind === 'sync') {
        const handler = handlers[name];
        if (handler === undefined) throw new Error(`No handler for the tool ${name}`);
        return callSyncTool(mcp, tool, handler, checked.args, context);
      }
      try {
        const task = await tasks.create(tenantOf(context.http?.authInfo), name, tool, checked.args);
        // The SDK's types know the results of the core specification; the extension's passes its encoder untouched.
        return createTaskResult(task) as unknown as InputRequiredResult;
      } catch (error) {
        if (!(error instanceof TooLarge)) throw error;
        return toolFailure(`The arguments of ${name} are too large: a task takes at most 256 KB of them.`);
      }
    }),
  );
};

const serveTasks = (mcp: McpServer, { tasks, tenantOf, log }: Server): void => {
  /** The capability gate, then the caller's identity, the same for every method. */
  const serve = (method: string, handle: (ref: TaskRef, context: ServerContext) => Promise<Result>): void =>
    // Three arguments: `tasks/*` are no methods of the SDK's specification, and only this form serves those.
    // It would check a schema before the handler runs, and here the gate comes first: so none is given.
    mcp.server.setRequestHandler(
      method,
      { params: z.unknown() },
      answerErrors(log)(async (params, context) => {
        requireTasks(declaredBy(context));
        const parsed = taskParams.safeParse(params);
        if (!parsed.success) throw new InvalidParams(`${method} needs params.taskId, a string.`);
        return handle({ tenant: tenantOf(context.http?.authInfo), taskId: parsed.data.taskId }, context);
      }),
    );

  serve('tasks/get', async (ref) => ({ ...detailedTask(await tasks.get(ref)) }));

  serve('tasks/update', async (ref, { mcpReq: { inputResponses, droppedInputResponseKeys = [] } }) => {
    if (inputResponses === undefined || droppedInputResponseKeys.length > 0) {
      throw new InvalidParams(
        'tasks/update needs params.inputResponses: an object of bare responses by request key.',
      );
    }
    await tasks.update(ref, inputResponses);
    return {};
  });

  serve('tasks/cancel', async (ref) => {
    await tasks.cancel(ref);
    return {};
  });
};

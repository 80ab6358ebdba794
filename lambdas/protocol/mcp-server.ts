import {
  isInputRequiredResult,
  McpServer,
  type AuthInfo,
  type CacheHint,
  type McpRequestContext,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { sendTaskResultsBare } from './bare-task-results.ts';
import { callTaskTool } from './call-task-tool.ts';
import { callSyncTool, checkArguments, toolFailure } from './call-tool.ts';
import { declaredBy, requireTasks, TASKS_EXTENSION } from './capabilities.ts';
import { companionHandlers, withCompanions } from './companion-tools.ts';
import type { BeforeTask, SyncHandler, ToolTable } from './define-tool.ts';
import { answerErrors, InvalidParams, UnknownTool, type Log } from './errors.ts';
import { listCaching, registerFeatures, type Register } from './features.ts';
import { listedOutput } from './handle.ts';
import type { ListenLimits } from './listen.ts';
import { keepRequestState, refuseUnsealedState } from './request-state.ts';
import type { TaskRef } from './task.ts';
import type { Tasks } from './tasks.ts';
import { advertise2025, serveTasks2025 } from './tasks-2025/serve.ts';
import { NoTaskOfThisTool, offers2025, taskSupportOf } from './tasks-2025/support.ts';
import { ToolError } from './tool-error.ts';
import type { WaitLimits } from './wait-for-task.ts';
import { servingOf } from './without-tasks.ts';
import { detailedTask } from './wire.ts';

export interface Server {
  name: string;
  version: string;
  tools: ToolTable;
  /** Code of every synchronous tool, and what of the task tools' runs before a task. */
  handlers: Record<string, SyncHandler | BeforeTask>;
  prompts?: Register;
  resources?: Register;
  /** What clients may do with lists: they change only with a deployment. */
  listCaching?: CacheHint;
  /** Secret of at least 32 bytes for tools that keep state between rounds. Called when one is needed. */
  requestStateKey?: () => Promise<string>;
  tasks: Tasks;
  /** Whose tasks a caller may reach, from what the API has verified about them; undefined where nobody is asked. */
  tenantOf(caller: AuthInfo | undefined): string;
  listen: ListenLimits;
  /** For calls that wait for their task. */
  wait: WaitLimits;
  /** Serve the tasks of 2025-11-25 to clients of that revision. */
  legacyTasks?: boolean;
  log: Log;
}

type About = Pick<McpRequestContext, 'era' | 'requestInfo'>;

const taskParams = z.looseObject({ taskId: z.string() });

/** One MCP server for one request: the SDK's dispatcher, with tools that may become tasks and the task methods. */
export const mcpServerFor = (own: Server) => {
  const server = { ...own, tools: withCompanions(own.tools) };
  return (about: About): McpServer => {
    const { era } = about;
    const with2025 = offers2025(server, about);
    const mcp = new McpServer(
      { name: server.name, version: server.version },
      {
        capabilities: {
          // Behind an API that buffers, nothing may be pushed outside a request: lists do not announce changes.
          tools: { listChanged: false },
          // The 2025 revisions know another kind of tasks, and their logging needs a session; neither is theirs to see.
          ...(era === 'modern' ? { extensions: { [TASKS_EXTENSION]: {} }, logging: {} } : {}),
        },
        cacheHints: listCaching(server.listCaching),
        requestState: { verify: refuseUnsealedState },
      },
    );
    sendTaskResultsBare(mcp);
    if (era === 'legacy' && server.legacyTasks) advertise2025(mcp);
    listTools(mcp, server, with2025);
    registerFeatures(mcp, server);
    serveToolCalls(mcp, server, with2025);
    if (era === 'modern') serveTasks(mcp, server);
    if (with2025) serveTasks2025(mcp, server);
    return mcp;
  };
};

/** The SDK lists what is registered, and checks `Mcp-Param-*` headers by it. Calls go to `serveToolCalls`. */
const listTools = (mcp: McpServer, server: Server, with2025: boolean): void => {
  for (const [name, tool] of Object.entries(server.tools)) {
    const { title, description, inputSchema, annotations } = tool;
    const outputSchema = listedOutput(tool);
    const listed = mcp.registerTool(
      name,
      { title, description, inputSchema, outputSchema, annotations },
      () => {
        throw new UnknownTool(name);
      },
    );
    const taskSupport = with2025 ? taskSupportOf(name, tool, server) : undefined;
    if (taskSupport !== undefined) listed.execution = { taskSupport };
  }
};

const serveToolCalls = (mcp: McpServer, server: Server, with2025: boolean): void => {
  const { tools, handlers, tasks, wait, requestStateKey, log } = server;
  // The SDK's own dispatcher turns every error into a tool result, and -32021 must not be one.
  mcp.server.setRequestHandler(
    'tools/call',
    answerErrors(log)(async ({ params }, context) => {
      const { name } = params;
      const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
      if (tool === undefined) throw new UnknownTool(name);
      const is2025 = with2025 && 'task' in params;
      if (is2025 && taskSupportOf(name, tool, server) === undefined) throw new NoTaskOfThisTool(name);
      const serving = is2025
        ? '2025'
        : tool.kind === 'task'
          ? servingOf(name, tool, context, with2025)
          : 'task';

      const checked = checkArguments(name, tool.inputSchema, params.arguments);
      // A call for a task of 2025-11-25 is answered with one, or with an error.
      if ('failure' in checked && is2025) throw new InvalidParams(checked.reason);
      if ('failure' in checked) return checked.failure;
      const { args } = checked;
      const caller = context.http?.authInfo;
      const tenant = server.tenantOf(caller);
      const state = {
        key: tool.requestState ? requestStateKey : undefined,
        // Who calls, by all that stays the same when their token is renewed.
        boundTo: [tenant, caller?.clientId, caller?.extra, 'tools/call', name, args],
      };
      try {
        return await keepRequestState(context, state, async (round) => {
          const code = handlers[name] ?? companionHandlers(tasks, tenant)[name];
          if (tool.kind === 'task') {
            const before = code as BeforeTask;
            const call = { name, tool, args, before, tenant, tasks, serving, wait };
            const answer = await callTaskTool(call, round);
            const isPlain = (serving === 'wait' || serving === 'handle') && !isInputRequiredResult(answer);
            return isPlain ? mcp.server.projectCallToolResult(answer, undefined) : answer;
          }
          if (code === undefined) throw new Error(`No handler for the tool ${name}`);
          return callSyncTool(mcp, tool, code as SyncHandler, args, round);
        });
      } catch (error) {
        if (error instanceof ToolError) return toolFailure(error.message);
        throw error;
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
    // The empty key stands for responses that were no object (input-responses.ts); no question has it.
    if (inputResponses === undefined || droppedInputResponseKeys.includes('')) {
      throw new InvalidParams(
        'tasks/update needs params.inputResponses: an object of bare responses by request key.',
      );
    }
    await tasks.update(ref, inputResponses, droppedInputResponseKeys);
    return {};
  });

  serve('tasks/cancel', async (ref) => {
    await tasks.cancel(ref);
    return {};
  });
};

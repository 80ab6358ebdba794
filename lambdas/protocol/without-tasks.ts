import { ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import { declaresTasks, lacksQuestions, requireTaskTool } from './capabilities.ts';
import type { TaskTool } from './define-tool.ts';

/** What a call of a task tool ends in; `2025` is a task in the words of 2025-11-25. */
export type Serving = 'task' | 'wait' | 'handle' | '2025';

/**
 * How a call of a task tool is served: a client with the Tasks extension gets a task, another one what the tool's
 * manifest chose for it.
 * @throws -32021 with what is missing, to old clients with a sentence; where the tasks of 2025-11-25 are served -32601
 */
export const servingOf = (
  name: string,
  tool: TaskTool,
  context: ServerContext,
  with2025: boolean,
): Serving => {
  const { withoutTasks = 'handle', notDoneInTime = 'handle' } = tool;
  if (!declaresTasks(context) && withoutTasks === 'handle') return 'handle';
  if (!declaresTasks(context) && withoutTasks === 'wait') {
    if (!lacksQuestions(tool, context)) return 'wait';
    // It would ask what this client cannot answer. The companion tools can.
    if (notDoneInTime === 'handle') return 'handle';
  }
  if (with2025) throw new NotForThisClient(name);
  requireTaskTool(name, tool, context);
  return 'task';
};

/** The 2025-11-25 revision asks for this code where a tool runs as a task only (basic/utilities/tasks). */
class NotForThisClient extends ProtocolError {
  constructor(name: string) {
    super(
      ProtocolErrorCode.MethodNotFound,
      `${name} runs as a task, and this call did not ask for one. ` +
        'Use a client that does, or one with MCP 2026-07-28 and the Tasks extension.',
    );
  }
}

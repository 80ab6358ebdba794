import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  type ClientCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Question, TaskTool } from './define-tool.ts';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

type Requirement = {
  present: (capabilities: ClientCapabilities) => boolean;
  declaration: ClientCapabilities;
};

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const tasks: Requirement = {
  present: ({ extensions }) => isObject(extensions?.[TASKS_EXTENSION]),
  declaration: { extensions: { [TASKS_EXTENSION]: {} } },
};

const questions: Record<Question, Requirement> = {
  // An elicitation capability that names no mode means form mode (specification, client/elicitation).
  'elicitation.form': {
    present: ({ elicitation }) =>
      isObject(elicitation) && (isObject(elicitation?.form) || !isObject(elicitation?.url)),
    declaration: { elicitation: { form: {} } },
  },
  'elicitation.url': {
    present: ({ elicitation }) => isObject(elicitation?.url),
    declaration: { elicitation: { url: {} } },
  },
  sampling: { present: ({ sampling }) => isObject(sampling), declaration: { sampling: {} } },
};

/** Capabilities count per request: what an earlier request declared is not remembered. */
export const declaredBy = (context: ServerContext): ClientCapabilities =>
  (context.mcpReq.envelope as Record<string, ClientCapabilities> | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ] ?? {};

/** For tasks/* and for listening to tasks. @throws -32021 naming the extension. */
export const requireTasks = (declared: ClientCapabilities = {}): void => {
  if (tasks.present(declared)) return;
  throw new MissingRequiredClientCapabilityError(
    { requiredCapabilities: tasks.declaration },
    `This request needs the extension ${TASKS_EXTENSION} among the client capabilities it declares.`,
  );
};

export const declaresTasks = (context: ServerContext): boolean => tasks.present(declaredBy(context));

/** For a call that creates a task. @throws -32021 naming everything that this client lacks for this tool. */
export const requireTaskTool = (name: string, tool: TaskTool, context: ServerContext): void => {
  const declared = declaredBy(context);
  const required = [
    ...(tool.withoutTasks === 'wait' ? [] : [tasks]),
    ...tool.asks.map((question) => questions[question]),
  ];
  const missing = required.filter((requirement) => !requirement.present(declared));
  if (missing.length === 0) return;
  throw new MissingRequiredClientCapabilityError(
    { requiredCapabilities: missing.map(({ declaration }) => declaration).reduce(merge, {}) },
    `${name} runs as a task${tool.asks.length > 0 ? ' and may ask questions' : ''}. ` +
      'Declare the capabilities listed in data.requiredCapabilities, or use a client that has them.',
  );
};

/** Two modes of elicitation that are both missing belong under one key. */
const merge = (left: ClientCapabilities, right: ClientCapabilities): ClientCapabilities => ({
  ...left,
  ...right,
  ...(left.elicitation && right.elicitation
    ? { elicitation: { ...left.elicitation, ...right.elicitation } }
    : {}),
});

import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  PROTOCOL_VERSION_META_KEY,
  type ClientCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Question, TaskTool } from './define-tool.ts';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
const FIRST_REVISION_WITH_TASKS = '2026-07-28';

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

/**
 * Capabilities count per request: what an earlier request declared is not remembered. A request of an earlier
 * revision has no envelope to declare them in, whatever it put there: it would take a task for an empty success.
 */
export const declaredBy = (context: ServerContext): ClientCapabilities =>
  isModern(context) ? (envelopeOf(context)[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities) : {};

const isModern = (context: ServerContext): boolean => {
  const version = envelopeOf(context)[PROTOCOL_VERSION_META_KEY];
  return typeof version === 'string' && version >= FIRST_REVISION_WITH_TASKS;
};

const envelopeOf = ({ mcpReq }: ServerContext): Record<string, unknown> => ({ ...mcpReq.envelope });

/** For tasks/* and for listening to tasks. @throws -32021 naming the extension. */
export const requireTasks = (declared: ClientCapabilities = {}): void => {
  if (tasks.present(declared)) return;
  throw new MissingRequiredClientCapabilityError(
    { requiredCapabilities: tasks.declaration },
    `This request needs the extension ${TASKS_EXTENSION} among the client capabilities it declares.`,
  );
};

export const declaresTasks = (context: ServerContext): boolean => tasks.present(declaredBy(context));

/** Whether the tool may ask something that this client cannot answer. */
export const lacksQuestions = (tool: TaskTool, context: ServerContext): boolean =>
  tool.asks.some((question) => !questions[question].present(declaredBy(context)));

/** For a call that creates a task. @throws -32021 naming everything that this client lacks for this tool. */
export const requireTaskTool = (name: string, tool: TaskTool, context: ServerContext): void => {
  const declared = declaredBy(context);
  const required = [
    ...(tool.withoutTasks === 'wait' ? [] : [tasks]),
    ...tool.asks.map((question) => questions[question]),
  ];
  const missing = required.filter((requirement) => !requirement.present(declared));
  if (missing.length === 0) return;
  if (!isModern(context)) throw new NeedsNewerClient(name);
  throw new MissingRequiredClientCapabilityError(
    { requiredCapabilities: missing.map(({ declaration }) => declaration).reduce(merge, {}) },
    `${name} runs as a task${tool.asks.length > 0 ? ' and may ask questions' : ''}. ` +
      'Declare the capabilities listed in data.requiredCapabilities, or use a client that has them.',
  );
};

/** -32021 too, in words for a person: this client cannot declare what is missing, and shows the message alone. */
class NeedsNewerClient extends MissingRequiredClientCapabilityError {
  constructor(tool: string) {
    super(
      { requiredCapabilities: tasks.declaration },
      `${tool} runs as a task, for longer than one request may take, and this client speaks a revision of MCP ` +
        `without such tasks. Use a client of revision 2026-07-28 or later with the extension ${TASKS_EXTENSION}.`,
    );
  }
}

/** Two modes of elicitation that are both missing belong under one key. */
const merge = (left: ClientCapabilities, right: ClientCapabilities): ClientCapabilities => ({
  ...left,
  ...right,
  ...(left.elicitation && right.elicitation
    ? { elicitation: { ...left.elicitation, ...right.elicitation } }
    : {}),
});

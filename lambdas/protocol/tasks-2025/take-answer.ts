import { ProtocolErrorCode, type ProtocolError } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { answerErrors, type Log } from '../errors.ts';
import { openInputs } from '../task.ts';
import type { Tasks } from '../tasks.ts';
import { parseQuestionId } from './question-id.ts';
import { REVISION } from './wire.ts';

const response = z.union([
  z.object({ id: z.string(), result: z.looseObject({}) }),
  z.object({ id: z.string(), error: z.looseObject({}) }),
]);

export interface TakeAnswer {
  tenant: string;
  tasks: Tasks;
  log: Log;
}

/**
 * Takes the answer to a question that went out on a tasks/result stream. The SDK knows no such request: it waits for
 * answers where it has asked, and that was another execution environment, maybe.
 * @returns undefined for everything else
 */
export const takeAnswer = async (
  request: Request,
  context: () => TakeAnswer,
): Promise<Response | undefined> => {
  if (request.headers.get('mcp-protocol-version') !== REVISION) return undefined;
  const parsed = response.safeParse(await json(request.clone()));
  const question = parsed.success ? parseQuestionId(parsed.data.id) : undefined;
  if (!parsed.success || question === undefined) return undefined;

  const { tenant, tasks, log } = context();
  const ref = { tenant, taskId: question.taskId };
  const take = answerErrors(log)(async () => {
    const inputs = openInputs(await tasks.get(ref));
    const open = Object.hasOwn(inputs, question.key) ? inputs[question.key]! : undefined;
    const answer = 'result' in parsed.data ? parsed.data.result : refusalOf(open?.request);
    if (answer !== undefined) await tasks.update(ref, { [question.key]: answer });
    // Accepted: such a message has no answer of its own (basic/transports, Sending Messages to the Server).
    return new Response(null, { status: 202 });
  });
  return take().catch(({ code, message }: ProtocolError) =>
    Response.json(
      { jsonrpc: '2.0', id: null, error: { code, message } },
      { status: code === ProtocolErrorCode.InternalError ? 500 : 400 },
    ),
  );
};

/** A client that cannot ask its user answers with an error. The tool learns that nobody decided, and need not wait. */
const refusalOf = (request: string | undefined): unknown =>
  request !== undefined && JSON.parse(request).method === 'elicitation/create'
    ? { action: 'cancel' }
    : undefined;

const json = async (request: Request): Promise<unknown> => {
  try {
    return JSON.parse(await request.text());
  } catch {
    return undefined;
  }
};

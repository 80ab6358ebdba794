import * as z from 'zod';
import { problemsOf, type FormSchema } from './content-schema.ts';
import { InvalidParams } from './errors.ts';
import { isTooLarge } from './payload.ts';
import { openInputs, type TaskRecord } from './task.ts';

export interface Answer {
  key: string;
  response: unknown;
  token: string;
}

/**
 * The responses that answer an open question, checked. Responses to other keys are left out: they were answered
 * before, or never asked (SEP-2663, Task Update Requests).
 * @param malformed keys of responses that were no objects with a bare response in them.
 * @throws InvalidParams when one answers an open question wrongly. Nothing is delivered then, and all stay open.
 */
export const answersTo = (
  task: TaskRecord,
  responses: Record<string, unknown>,
  malformed: readonly string[],
): Answer[] => {
  const inputs = openInputs(task);
  const problems = malformed
    .filter((key) => Object.hasOwn(inputs, key))
    .map((key) => `inputResponses.${key} must be a bare response, without method and result around it`);
  const answers = Object.entries(responses).flatMap(([key, response]) => {
    const open = Object.hasOwn(inputs, key) ? inputs[key] : undefined;
    if (open === undefined) return [];
    const answer = { key, response, token: open.token };
    problems.push(
      ...problemsWith(open.request, answer).map((problem) => `inputResponses.${key}: ${problem}`),
    );
    return [answer];
  });
  if (problems.length > 0) {
    throw new InvalidParams(`Nothing was answered, the questions stay open. ${problems.join('; ')}.`);
  }
  return answers;
};

interface Request {
  method: string;
  params: { mode?: string; requestedSchema?: FormSchema };
}

/** The least that makes a response one to the request that was asked; what else it says is the workflow's to judge. */
const ANSWERS: Record<string, z.ZodType<Record<string, unknown>>> = {
  'elicitation/create': z.looseObject({
    action: z.enum(['accept', 'decline', 'cancel']),
    content: z.record(z.string(), z.unknown()).optional(),
  }),
  'sampling/createMessage': z.looseObject({ role: z.string(), content: z.unknown() }),
  'roots/list': z.looseObject({ roots: z.array(z.looseObject({ uri: z.string() })) }),
};

/**
 * What does not answer its question must not reach the workflow: its conditions would read members that are not
 * there, and a missing path fails an execution for good.
 */
const problemsWith = (request: string, answer: Answer): string[] => {
  if (isTooLarge(answer)) return ['may hold at most 256 KB'];
  const { method, params } = JSON.parse(request) as Request;
  const parsed = ANSWERS[method]?.safeParse(answer.response);
  if (parsed === undefined) return [];
  if (!parsed.success) {
    return parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim());
  }
  // Consent to a URL has no content, and who declines or cancels need not say anything.
  if (parsed.data['action'] !== 'accept' || params.requestedSchema === undefined) return [];
  return problemsOf(params.requestedSchema, (parsed.data['content'] ?? {}) as Record<string, unknown>);
};

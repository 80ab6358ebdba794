import * as z from 'zod';

/** The least that makes a response one to the request that was asked; what else it says is the workflow's to judge. */
const ANSWERS: Record<string, z.ZodType> = {
  'elicitation/create': z.looseObject({
    action: z.enum(['accept', 'decline', 'cancel']),
    content: z.record(z.string(), z.unknown()).optional(),
  }),
  'sampling/createMessage': z.looseObject({ role: z.string(), content: z.unknown() }),
  'roots/list': z.looseObject({ roots: z.array(z.looseObject({ uri: z.string() })) }),
};

/**
 * Whether a response answers a question of this kind at all. One that does not must not reach the workflow: its
 * conditions would read members that are not there, and a missing path fails an execution for good.
 * @param request the question as stored: JSON of `{ method, params }`.
 */
export const isAnswerTo = (request: string, response: unknown): boolean => {
  const { method } = JSON.parse(request) as { method: string };
  return ANSWERS[method]?.safeParse(response).success ?? true;
};

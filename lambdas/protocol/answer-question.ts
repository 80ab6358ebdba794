import * as z from 'zod';
import type { OpenInput } from './task.ts';
import { ToolError } from './tool-error.ts';

export const answerInput = z.object({
  action: z
    .enum(['accept', 'decline', 'cancel'])
    .describe('accept: answered; decline: the person said no; cancel: the person did not decide.'),
  content: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('With accept: the answer, as the question’s schema has it.'),
});

/** A question as models see it: what to put to the person, and what an answer must look like. */
export const questionOf = (key: string, { request }: OpenInput) => {
  const { method, params } = JSON.parse(request) as { method: string; params: Record<string, unknown> };
  if (method !== 'elicitation/create') return { key, kind: 'sampling', request: params };
  const { mode = 'form', message, url, requestedSchema } = params;
  return mode === 'url'
    ? { key, kind: 'url', message, url }
    : { key, kind: 'form', message, schema: requestedSchema };
};

/**
 * What tasks/update would carry: an elicitation's answer, or a text as the model's answer to sampling. Whether it fits
 * its question is checked with the update.
 * @throws ToolError for anything but a text to sampling
 */
export const responseTo = (input: OpenInput, { action, content }: z.output<typeof answerInput>): unknown => {
  const { kind } = questionOf('', input);
  if (kind === 'sampling') {
    const text = z.object({ text: z.string() }).safeParse(content);
    if (action !== 'accept' || !text.success) throw new ToolError('Answer with accept and { "text": … }.');
    return { role: 'assistant', model: 'unknown', content: { type: 'text', text: text.data.text } };
  }
  if (action !== 'accept' || kind === 'url') return { action };
  return { action, content: content ?? {} };
};

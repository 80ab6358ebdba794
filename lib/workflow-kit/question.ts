import * as z from 'zod';
import type { Question as Kind } from '../../lambdas/protocol/define-tool.ts';

/** A request to the client (specification 2026-07-28, client/elicitation and client/sampling). Strings may be JSONPath tokens. */
export interface Question {
  kind: Kind;
  request: { method: string; params: Record<string, unknown> };
}

/** Property types an elicitation form may have: it is one flat object of primitives and enums. */
const PRIMITIVES = new Set(['string', 'number', 'integer', 'boolean']);

interface Field {
  type?: unknown;
  items?: { type?: unknown; enum?: unknown };
  $ref?: unknown;
}

const isFormField = ({ type, items, $ref }: Field): boolean =>
  $ref === undefined &&
  (PRIMITIVES.has(String(type)) ||
    (type === 'array' && items?.type === 'string' && items.enum !== undefined));

/** @throws at synthesis if the form is not one that every client can show. */
const formSchema = (schema: z.ZodObject): Record<string, unknown> => {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  for (const [name, property] of Object.entries(properties)) {
    if (name.endsWith('.$'))
      throw new Error(`Form field ${name}: Step Functions would take the name for a path`);
    if (typeof property === 'boolean' || !isFormField(property as Field)) {
      throw new Error(`Form field ${name}: a form is flat: text, numbers, booleans and choices`);
    }
  }
  return { type: 'object', properties, required };
};

/** Ask for values. The answer is `{ action: 'accept' | 'decline' | 'cancel', content? }`. */
export const form = ({ message, schema }: { message: string; schema: z.ZodObject }): Question => ({
  kind: 'elicitation.form',
  request: {
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: formSchema(schema) },
  },
});

/** Send the person to a page, for what must not pass through the client. `accept` means consent, not that it is done. */
export const url = (params: { message: string; url: string }): Question => ({
  kind: 'elicitation.url',
  request: { method: 'elicitation/create', params: { mode: 'url', ...params } },
});

export interface Sampling {
  messages: { role: 'user' | 'assistant'; content: { type: 'text'; text: string } }[];
  maxTokens: number;
  systemPrompt?: string;
  temperature?: number;
}

/** Ask the client's model. The answer is `{ role, content, model, stopReason? }`. */
export const sampling = (params: Sampling): Question => ({
  kind: 'sampling',
  request: { method: 'sampling/createMessage', params: { ...params } },
});

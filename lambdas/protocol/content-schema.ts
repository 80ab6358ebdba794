/** The part of JSON Schema that an elicitation form may use: one flat object (client/elicitation, Requested Schema). */
export interface FormSchema {
  properties?: Record<string, FieldSchema>;
  required?: string[];
}

interface FieldSchema {
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'array';
  enum?: unknown[];
  oneOf?: { const: unknown }[];
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  items?: { enum?: unknown[]; anyOf?: { const: unknown }[]; oneOf?: { const: unknown }[] };
  minItems?: number;
  maxItems?: number;
}

/**
 * What is wrong with a form's content, one sentence per field. Checked by hand: the SDK's validator would add 150 KB
 * to a bundle whose size is what a cold start costs, and a form is flat.
 */
export const problemsOf = (schema: FormSchema, content: Record<string, unknown>): string[] => {
  const missing = (schema.required ?? [])
    .filter((name) => !Object.hasOwn(content, name))
    .map((name) => `${name} is required`);
  const wrong = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const problem = Object.hasOwn(content, name) ? problemOf(field, content[name]) : undefined;
    return problem === undefined ? [] : [`${name} ${problem}`];
  });
  return [...missing, ...wrong];
};

const problemOf = (field: FieldSchema, value: unknown): string | undefined => {
  const choices = field.enum ?? field.oneOf?.map((one) => one.const);
  if (choices !== undefined && !choices.includes(value)) return `must be one of ${JSON.stringify(choices)}`;
  switch (field.type) {
    case 'string':
      return typeof value === 'string' ? problemOfText(field, value) : 'must be a text';
    case 'number':
    case 'integer':
      return typeof value === 'number' ? problemOfNumber(field, value) : 'must be a number';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'array':
      return Array.isArray(value) ? problemOfList(field, value) : 'must be a list';
    default:
      return undefined;
  }
};

/** The formats a form may name; what a date or an address is beyond its look is for the workflow to decide. */
const FORMATS: Record<string, (text: string) => boolean> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => URL.canParse(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) =>
    /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
};

const problemOfText = (field: FieldSchema, text: string): string | undefined => {
  const { minLength = 0, maxLength = Infinity, pattern, format } = field;
  // JSON Schema counts characters, not UTF-16 units.
  const { length } = [...text];
  if (length < minLength) return `must have at least ${minLength} characters`;
  if (length > maxLength) return `must have at most ${maxLength} characters`;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) return `must match ${pattern}`;
  if (format !== undefined && FORMATS[format]?.(text) === false) return `must be a valid ${format}`;
  return undefined;
};

const problemOfNumber = (field: FieldSchema, value: number): string | undefined => {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum, multipleOf } = field;
  if (field.type === 'integer' && !Number.isInteger(value)) return 'must be a whole number';
  if (value < minimum) return `must be at least ${minimum}`;
  if (value > maximum) return `must be at most ${maximum}`;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return `must be above ${exclusiveMinimum}`;
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return `must be below ${exclusiveMaximum}`;
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) {
    return `must be a multiple of ${multipleOf}`;
  }
  return undefined;
};

const problemOfList = ({ items, minItems = 0, maxItems = Infinity }: FieldSchema, list: unknown[]) => {
  if (list.length < minItems) return `must have at least ${minItems} entries`;
  if (list.length > maxItems) return `must have at most ${maxItems} entries`;
  const choices = items?.enum ?? (items?.anyOf ?? items?.oneOf)?.map((one) => one.const);
  const isChoice = (entry: unknown): boolean =>
    choices === undefined ? typeof entry === 'string' : choices.includes(entry);
  if (list.every(isChoice)) return undefined;
  return choices === undefined ? 'must hold texts only' : `may hold only ${JSON.stringify(choices)}`;
};

import type { ProxyEvent } from './proxy-event.ts';

/** What stands behind `$context`, `$stageVariables` and the request in a mapping; undefined if there is nothing. */
export type Variables = (name: string) => string | undefined;

/** @param extra members of `$context` that are not the request's: `error`, say */
export const variablesOf =
  (event: ProxyEvent | undefined, extra: Record<string, unknown> = {}): Variables =>
  (name) => {
    const [source, ...path] = name.split('.');
    if (source === 'context') return text(at({ ...event?.requestContext, ...extra }, path));
    if (source === 'stageVariables') return text(at(event?.stageVariables ?? {}, path));
    if (source !== 'method' || path[0] !== 'request') return undefined;
    const [, kind, parameter = ''] = path;
    if (kind === 'header') return header(event, parameter);
    if (kind === 'querystring') return event?.queryStringParameters?.[parameter];
    return kind === 'path' ? event?.pathParameters?.[parameter] : undefined;
  };

export const header = (event: ProxyEvent | undefined, name: string): string | undefined =>
  Object.entries(event?.headers ?? {}).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];

/** A value of a header mapping: `'as it is'`, or the name of a variable. */
export const mapped = (mapping: string, variables: Variables): string | undefined =>
  /^'.*'$/s.test(mapping) ? mapping.slice(1, -1) : variables(mapping);

/** A body template as gateway responses take it: text with variables in it, and nothing of VTL besides. */
export const filled = (template: string, variables: Variables): string =>
  template.replace(
    /\$((?:context|stageVariables|method)(?:\.[\w-]+)+)/g,
    (_, name: string) => variables(name) ?? '',
  );

const at = (value: unknown, path: string[]): unknown =>
  path.reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], value);

const text = (value: unknown): string | undefined =>
  value === undefined || value === null || typeof value === 'object' ? undefined : String(value);

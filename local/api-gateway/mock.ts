import type { ServerResponse } from 'node:http';
import { filled, header, mapped, variablesOf } from './context-variables.ts';
import type { ProxyEvent } from './proxy-event.ts';

export interface MockIntegration {
  type: 'mock';
  status: number;
  /** `method.response.header.X` and where its value comes from. */
  parameters: Record<string, string>;
  /** The body, with `$context` variables; of VTL, only what the CDK writes for preflights. */
  template: string;
}

export const sendMock = (
  response: ServerResponse,
  { status, parameters, template }: MockIntegration,
  event: ProxyEvent,
): void => {
  const variables = variablesOf(event);
  response.statusCode = status;
  for (const [name, mapping] of Object.entries(parameters)) {
    const value = mapped(mapping, variables);
    if (value !== undefined) response.setHeader(name.replace(/^method\.response\.header\./, ''), value);
  }
  const origin = header(event, 'origin');
  if (origin !== undefined && furtherOrigins(template).includes(origin)) {
    response.setHeader('access-control-allow-origin', origin);
  }
  response.end(template.startsWith('#') ? undefined : filled(template, variables));
};

/** The CDK gives a preflight its first origin as a header, and the others by a condition in its template. */
const furtherOrigins = (template: string): string[] =>
  template.includes('responseOverride.header.Access-Control-Allow-Origin')
    ? [...template.matchAll(/\$origin == "([^"]+)"/g)].map(([, origin]) => origin as string)
    : [];

import type { ServerResponse } from 'node:http';
import type { ResolvedTemplate } from '../template.ts';
import { filled, mapped, variablesOf } from './context-variables.ts';
import type { ProxyEvent } from './proxy-event.ts';

interface ResponseProperties {
  RestApiId: string;
  ResponseType: string;
  StatusCode?: string;
  ResponseParameters?: Record<string, string>;
  ResponseTemplates?: Record<string, string>;
}

/**
 * Where API Gateway answers instead of an integration: status, message, and `x-amzn-ErrorType`.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const DEFAULTS = {
  ACCESS_DENIED: [403, 'User is not authorized to access this resource', 'AccessDeniedException'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, 'Internal server error', 'AuthorizerConfigurationException'],
  AUTHORIZER_FAILURE: [500, 'Internal server error', 'AuthorizerFailureException'],
  INTEGRATION_FAILURE: [502, 'Internal server error', 'InternalServerErrorException'],
  INTEGRATION_TIMEOUT: [504, 'Endpoint request timed out', 'InternalServerErrorException'],
  MISSING_AUTHENTICATION_TOKEN: [403, 'Missing Authentication Token', 'MissingAuthenticationTokenException'],
  REQUEST_TOO_LARGE: [413, 'Request Too Long', 'RequestTooLargeException'],
  UNAUTHORIZED: [401, 'Unauthorized', 'UnauthorizedException'],
} as const satisfies Record<string, readonly [status: number, message: string, errorType: string]>;

export type GatewayResponseType = keyof typeof DEFAULTS;

/** What API Gateway itself answers, in the words and with the headers that the template gives it. */
export class GatewayResponses {
  private readonly given: ResponseProperties[];

  constructor(template: ResolvedTemplate) {
    this.given = template
      .resources<ResponseProperties>('AWS::ApiGateway::GatewayResponse')
      .map(({ properties }) => properties);
  }

  /** @param event undefined where the request was refused before there was one: no variable has a value then */
  send(response: ServerResponse, type: GatewayResponseType, apiId?: string, event?: ProxyEvent): void {
    const [status, message, errorType] = DEFAULTS[type];
    const { StatusCode, ResponseParameters = {}, ResponseTemplates } = this.find(type, status, apiId) ?? {};
    const variables = variablesOf(event, {
      error: { message, messageString: JSON.stringify(message), responseType: type },
    });
    const template = ResponseTemplates?.['application/json'] ?? '{"message":$context.error.messageString}';
    const body = filled(template, variables);

    response.statusCode = Number(StatusCode ?? status);
    response.setHeader('content-type', 'application/json');
    response.setHeader('content-length', Buffer.byteLength(body));
    response.setHeader('x-amzn-ErrorType', errorType);
    for (const [name, mapping] of Object.entries(ResponseParameters)) {
      const value = mapped(mapping, variables);
      if (value !== undefined) response.setHeader(name.replace(/^gatewayresponse\.header\./, ''), value);
    }
    response.end(body);
  }

  /** The type's own, or that of its class. */
  private find(type: string, status: number, apiId?: string): ResponseProperties | undefined {
    const ofApi = this.given.filter(({ RestApiId }) => apiId === undefined || RestApiId === apiId);
    const named = (name: string) => ofApi.find(({ ResponseType }) => ResponseType === name);
    return named(type) ?? named(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
  }
}

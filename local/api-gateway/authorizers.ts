import type { Functions } from '../lambda/functions.ts';
import type { ResolvedTemplate } from '../template.ts';
import { ACCOUNT, REGION } from '../template-names.ts';
import { header, variablesOf } from './context-variables.ts';
import type { GatewayResponseType } from './gateway-responses.ts';
import { allows, parseOutput, type AuthorizerOutput } from './policy.ts';
import type { ProxyEvent } from './proxy-event.ts';
import type { ApiMethod } from './routes.ts';

interface AuthorizerProperties {
  Type: string;
  AuthorizerUri?: string;
  AuthorizerResultTtlInSeconds?: number;
  IdentitySource?: string;
  IdentityValidationExpression?: string;
}

/** With what `event.requestContext` goes on, or the answer that the caller gets instead. */
export type Decision = { requestContext: Record<string, unknown> } | { refusedWith: GatewayResponseType };

/** Decides who may call a method, as the template's authorizers say: they are the template's own functions. */
export class Authorizers {
  private readonly byId: Map<string, AuthorizerProperties>;
  private readonly remembered = new Map<string, { output: AuthorizerOutput; until: number }>();

  constructor(
    template: ResolvedTemplate,
    private readonly functions: Functions,
  ) {
    const authorizers = template.resources<AuthorizerProperties>('AWS::ApiGateway::Authorizer');
    this.byId = new Map(authorizers.map(({ logicalId, properties }) => [logicalId, properties]));
  }

  async decide(method: ApiMethod, event: ProxyEvent): Promise<Decision> {
    if (method.authorizationType === 'AWS_IAM') return signed(event);
    if (method.authorizationType !== 'CUSTOM') return { requestContext: {} };
    const authorizer = this.byId.get(method.authorizerId ?? '');
    if (!authorizer) throw new Error(`The template has no authorizer ${method.authorizerId}.`);

    const identity = identityOf(authorizer, event);
    if (identity === undefined) return { refusedWith: 'UNAUTHORIZED' };
    const methodArn = arnOf(method, event);
    const key = JSON.stringify([method.authorizerId, identity]);
    const output = this.recall(key) ?? (await this.ask(authorizer, identity, methodArn, event));
    if (typeof output === 'string') return { refusedWith: output };
    const { AuthorizerResultTtlInSeconds: ttl = 300 } = authorizer;
    if (ttl > 0) this.remembered.set(key, { output, until: Date.now() + ttl * 1000 });

    const { principalId, context = {} } = output;
    // API Gateway hands on text, whatever the function gave.
    const texts = Object.entries(context).map(([name, value]) => [name, String(value)]);
    const authorizerContext = { principalId, ...Object.fromEntries(texts) };
    // A denied request has its context too: gateway responses may quote it.
    event.requestContext.authorizer = authorizerContext;
    return allows(output, methodArn)
      ? { requestContext: { authorizer: authorizerContext } }
      : { refusedWith: 'ACCESS_DENIED' };
  }

  private recall(key: string): AuthorizerOutput | undefined {
    const found = this.remembered.get(key);
    if (found && found.until > Date.now()) return found.output;
    this.remembered.delete(key);
    return undefined;
  }

  private async ask(
    { Type, AuthorizerUri = '' }: AuthorizerProperties,
    identity: string[],
    methodArn: string,
    event: ProxyEvent,
  ): Promise<AuthorizerOutput | GatewayResponseType> {
    const [, functionArn = AuthorizerUri] = /functions\/(.+)\/invocations$/.exec(AuthorizerUri) ?? [];
    const outcome = await this.functions
      .get(functionArn)
      .invoke(
        Type === 'TOKEN'
          ? { type: 'TOKEN', authorizationToken: identity[0], methodArn }
          : { ...event, type: 'REQUEST', methodArn },
      );
    if ('error' in outcome) {
      return outcome.error.errorMessage === 'Unauthorized' ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE';
    }
    return parseOutput(outcome.payload) ?? 'AUTHORIZER_CONFIGURATION_ERROR';
  }
}

/** What the authorizer is asked by, and its answer is remembered by. Undefined if some of it is missing or unfit. */
const identityOf = (
  { IdentitySource = '', IdentityValidationExpression: expression }: AuthorizerProperties,
  event: ProxyEvent,
): string[] | undefined => {
  const sources = IdentitySource.split(',').filter(Boolean);
  const values = sources.map((source) => variablesOf(event)(source.trim()));
  if (values.some((value) => !value)) return undefined;
  if (expression && !new RegExp(expression).test(values[0] ?? '')) return undefined;
  return values as string[];
};

const arnOf = ({ apiId, stage }: ApiMethod, { httpMethod, path }: ProxyEvent): string =>
  `arn:aws:execute-api:${REGION}:${ACCOUNT}:${apiId}/${stage}/${httpMethod}${path}`;

/** SigV4, taken at its word: this engine has no secrets to check a signature with. */
const signed = (event: ProxyEvent): Decision => {
  const authorization = header(event, 'authorization') ?? '';
  const [, accessKey] = /^AWS4-HMAC-SHA256 Credential=([^/]+)\//.exec(authorization) ?? [];
  if (!accessKey) return { refusedWith: 'MISSING_AUTHENTICATION_TOKEN' };
  const identity = { accessKey, accountId: ACCOUNT, caller: accessKey, user: accessKey };
  return { requestContext: { identity: { ...(event.requestContext.identity as object), ...identity } } };
};

import { describe, expect, test } from '@jest/globals';
import { synthApp } from '../support/synth.ts';
import { asText, type Synthesized } from '../support/template.ts';

const JWT = {
  auth: 'jwt',
  jwtIssuer: 'https://issuer.example/',
  jwtAudience: 'urn:mcp',
  jwtScopes: 'mcp:read mcp:write',
};

const mcpMethod = ({ ofType }: Synthesized) =>
  ofType('AWS::ApiGateway::Method').find(([, { Properties }]) => Properties['HttpMethod'] === 'POST')![1]
    .Properties;
const authorizerOf = ({ ofType }: Synthesized) => ofType('AWS::ApiGateway::Authorizer')[0]![1].Properties;
const variablesOf = (app: Synthesized) =>
  app.ofType('AWS::Lambda::Function').find(([id]) => id.startsWith('AuthenticationAuthorizer'))![1]
    .Properties['Environment'].Variables;
const outputNames = ({ outputs }: Synthesized): string => Object.keys(outputs).join();
const gatewayResponse = ({ ofType }: Synthesized, type: string) =>
  ofType('AWS::ApiGateway::GatewayResponse').find(
    ([, { Properties }]) => Properties['ResponseType'] === type,
  )?.[1].Properties;

describe.each([
  ['cognito', {}, 'mcp/tools'],
  ['jwt', JWT, 'mcp:read mcp:write'],
])('with tokens: auth=%s', (auth, settings, scopes) => {
  const app = synthApp({ auth, ...settings });

  test('POST /mcp asks the authorizer, by the Authorization header alone', () => {
    expect(mcpMethod(app)).toMatchObject({
      AuthorizationType: 'CUSTOM',
      AuthorizerId: { Ref: app.ofType('AWS::ApiGateway::Authorizer')[0]![0] },
    });
    expect(authorizerOf(app)).toMatchObject({
      Type: 'TOKEN',
      IdentitySource: 'method.request.header.Authorization',
      AuthorizerResultTtlInSeconds: 60,
    });
  });

  test.each([
    ['Bearer eyJ.abc-_.~+/x=', true],
    ['bearer x', true],
    ['Bearer', false],
    ['Bearer a b', false],
    ['Basic eA==', false],
    ['xBearer x', false],
  ])('%s runs the authorizer: %j', (header, runs) => {
    expect(new RegExp(authorizerOf(app)['IdentityValidationExpression']).test(header)).toBe(runs);
  });

  test('without a good token: 401 and where to get one', () => {
    const { StatusCode, ResponseParameters } = gatewayResponse(app, 'UNAUTHORIZED')!;

    expect(StatusCode).toBe('401');
    expect(asText(ResponseParameters['gatewayresponse.header.WWW-Authenticate'])).toMatch(
      new RegExp(
        `^'Bearer scope="${scopes}", resource_metadata="https://\\$\\{Api\\w+\\}\\.execute-api\\.\\$\\{AWS::Region\\}\\.` +
          `\\$\\{AWS::URLSuffix\\}/prod/\\.well-known/oauth-protected-resource/mcp"'$`,
      ),
    );
  });

  test('without enough scopes: 403 and which', () => {
    const { StatusCode, ResponseParameters } = gatewayResponse(app, 'ACCESS_DENIED')!;

    expect(StatusCode).toBe('403');
    expect(asText(ResponseParameters['gatewayresponse.header.WWW-Authenticate'])).toContain(
      `'Bearer error="insufficient_scope", scope="${scopes}", resource_metadata=`,
    );
  });

  test('the metadata are for everybody, and name this very URL', () => {
    const methods = app
      .ofType('AWS::ApiGateway::Method')
      .map(([, { Properties }]) => Properties)
      .filter(({ HttpMethod }) => HttpMethod === 'GET');

    expect(methods).toHaveLength(2);
    for (const { AuthorizationType, Integration } of methods) {
      expect([AuthorizationType, Integration.Type]).toEqual(['NONE', 'MOCK']);
      const body = JSON.parse(
        asText(Integration.IntegrationResponses[0].ResponseTemplates['application/json']),
      );
      expect(body.resource).toBe(asText(app.outputs['McpUrl']!.Value));
      expect(body.scopes_supported).toEqual(scopes.split(' '));
    }
  });

  test('the stage waits for none of what it answers with, and everything is deployed with it', () => {
    const [, { DependsOn }] = app.ofType('AWS::ApiGateway::Deployment')[0]!;
    const answers = app.ofType('AWS::ApiGateway::GatewayResponse').map(([id]) => id);

    expect(DependsOn).toEqual(expect.arrayContaining(answers));
  });

  test('the endpoint is told that callers are verified', () => {
    expect(app.endpoint[1].Properties['Environment'].Variables.AUTH).toBe(auth);
  });

  test('nothing says that it is open', () => {
    expect(outputNames(app)).not.toMatch(/Warning/);
  });
});

describe('auth=cognito', () => {
  const app = synthApp({ auth: 'cognito', clientIds: 'extra1 extra2' });
  const only = (type: string) => app.ofType(type).map(([, { Properties }]) => Properties);

  test('is the default', () => {
    expect(synthApp({ auth: undefined }).ofType('AWS::Cognito::UserPool')).toHaveLength(1);
  });

  test('nobody signs up by themselves, and signing in takes a second factor', () => {
    expect(only('AWS::Cognito::UserPool')).toEqual([
      expect.objectContaining({
        AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
        MfaConfiguration: 'ON',
        EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
      }),
    ]);
  });

  test('a client for people: code flow, no secret; one for machines: client credentials, with a secret', () => {
    expect(only('AWS::Cognito::UserPoolClient')).toEqual([
      expect.objectContaining({
        AllowedOAuthFlows: ['code'],
        GenerateSecret: false,
        CallbackURLs: ['http://localhost:6274/oauth/callback'],
      }),
      expect.objectContaining({ AllowedOAuthFlows: ['client_credentials'], GenerateSecret: true }),
    ]);
  });

  test('the secret is nowhere in the template', () => {
    expect(JSON.stringify([app.resources, app.outputs])).not.toMatch(/ClientSecret|SecretString/);
  });

  test('the authorizer takes tokens of these clients, for this URL', () => {
    const variables = variablesOf(app);
    const clients = app.ofType('AWS::Cognito::UserPoolClient').map(([id]) => `\${${id}}`);

    expect(variables).toMatchObject({ TOKENS: 'cognito', SCOPES: 'mcp/tools' });
    expect(asText(variables.CLIENT_IDS)).toBe([...clients, 'extra1', 'extra2'].join(' '));
    expect(asText(variables.RESOURCE)).toMatch(/^https:\/\/.*\/prod\/mcp$/);
  });

  test('people can sign in, and the outputs say where', () => {
    expect(only('AWS::Cognito::UserPoolDomain')).toHaveLength(1);
    expect(outputNames(app)).toMatch(/SignIn.*TokenUrl.*UserPoolId.*PeopleClientId.*MachineClientId/);
  });
});

test('auth=jwt: the authorizer takes tokens of this issuer, for this audience', () => {
  expect(variablesOf(synthApp(JWT))).toMatchObject({
    TOKENS: 'jwt',
    ISSUER: 'https://issuer.example/',
    AUDIENCE: 'urn:mcp',
    SCOPES: 'mcp:read mcp:write',
  });
  expect(
    variablesOf(synthApp({ ...JWT, jwtJwksUrl: 'https://issuer.example/keys', tenantClaim: 'org' })),
  ).toMatchObject({ JWKS_URL: 'https://issuer.example/keys', TENANT_CLAIM: 'org' });
});

describe('auth=iam', () => {
  const app = synthApp({ auth: 'iam' });

  test('POST /mcp takes signed requests, and there is no OAuth', () => {
    expect(mcpMethod(app)['AuthorizationType']).toBe('AWS_IAM');
    expect(app.ofType('AWS::ApiGateway::Authorizer')).toEqual([]);
    expect(app.ofType('AWS::ApiGateway::GatewayResponse')).toEqual([]);
  });

  test.each([
    [undefined, 'principal'],
    ['accountId', 'accountId'],
  ])('tenantClaim=%s makes the tenant the %s', (tenantClaim, tenant) => {
    const { endpoint } = synthApp({ auth: 'iam', tenantClaim });
    expect(endpoint[1].Properties['Environment'].Variables).toMatchObject({
      AUTH: 'iam',
      IAM_TENANT: tenant,
    });
  });
});

describe('auth=none', () => {
  const app = synthApp({ auth: 'none' });

  test('is open, and the outputs say so', () => {
    expect(mcpMethod(app)['AuthorizationType']).toBe('NONE');
    expect(Object.values(app.outputs).map(({ Value }) => Value)).toContainEqual(
      expect.stringMatching(/Anybody .* auth=none/),
    );
  });
});

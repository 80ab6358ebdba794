import { describe, expect, test } from '@jest/globals';
import { synthApp } from '../support/synth.ts';
import { asText, type Synthesized } from '../support/template.ts';

const stageOf = ({ ofType }: Synthesized) => ofType('AWS::ApiGateway::Stage')[0]![1].Properties;
const methodsOf = ({ ofType }: Synthesized, method: string) =>
  ofType('AWS::ApiGateway::Method')
    .map(([, { Properties }]) => Properties)
    .filter(({ HttpMethod }) => HttpMethod === method);

test('the stage is throttled, and POST /mcp by itself', () => {
  const app = synthApp({ requestsPerSecond: '7', requestBurst: '9' });
  const limits = { ThrottlingRateLimit: 7, ThrottlingBurstLimit: 9 };

  expect(stageOf(app)['MethodSettings']).toEqual([
    expect.objectContaining({ ResourcePath: '/*', HttpMethod: '*', ...limits }),
    expect.objectContaining({ ResourcePath: '/~1mcp', HttpMethod: 'POST', ...limits }),
  ]);
});

test('the endpoint knows how large a request may be', () => {
  const { endpoint } = synthApp({ maxRequestKilobytes: '5' });

  expect(endpoint[1].Properties['Environment'].Variables.MAX_REQUEST_BYTES).toBe('5000');
});

describe('pages of other origins', () => {
  test('none are listed by default, so there is no preflight', () => {
    expect(methodsOf(synthApp({}), 'OPTIONS')).toEqual([]);
  });

  test('a listed one may ask without a token whether it may send the headers of MCP', () => {
    const app = synthApp({ auth: 'cognito', allowedOrigins: 'https://app.example' });
    const preflight = methodsOf(app, 'OPTIONS')
      .map(({ AuthorizationType, Integration }) => ({
        AuthorizationType,
        headers: Integration.IntegrationResponses[0].ResponseParameters,
      }))
      .find(
        ({ headers }) =>
          headers['method.response.header.Access-Control-Allow-Origin'] === "'https://app.example'",
      );

    expect(preflight?.AuthorizationType).toBe('NONE');
    const allowed = preflight?.headers['method.response.header.Access-Control-Allow-Headers'];
    for (const name of [
      'Authorization',
      'Content-Type',
      'Accept',
      'Mcp-Method',
      'Mcp-Name',
      'MCP-Protocol-Version',
    ]) {
      expect(allowed).toContain(name);
    }
  });
});

describe('a firewall', () => {
  test('is not there by default: it costs by the month', () => {
    expect(synthApp({}).ofType('AWS::WAFv2::WebACL')).toEqual([]);
  });

  test('limits each address, applies what AWS maintains, stands before the stage, and samples no tokens', () => {
    const { ofType } = synthApp({ firewall: 'true', firewallRequestsPerMinute: '50' });
    const [, { Properties }] = ofType('AWS::WAFv2::WebACL')[0]!;

    expect(Properties['Rules'][0].Statement.RateBasedStatement).toEqual({
      AggregateKeyType: 'IP',
      EvaluationWindowSec: 60,
      Limit: 50,
    });
    expect(Properties['Rules'].slice(1).map(({ Name }: { Name: string }) => Name)).toEqual([
      'AWSManagedRulesAmazonIpReputationList',
      'AWSManagedRulesKnownBadInputsRuleSet',
      'AWSManagedRulesCommonRuleSet',
    ]);
    expect(JSON.stringify(Properties)).not.toContain('"SampledRequestsEnabled":true');
    expect(ofType('AWS::WAFv2::WebACLAssociation')).toHaveLength(1);
  });
});

describe('a key of one’s own', () => {
  test('encrypts every table, log, bucket, queue, function environment and state machine', () => {
    const { ofType } = synthApp({
      auth: 'cognito',
      customerManagedKey: 'true',
      accessLogs: 'true',
    });
    const properties = (type: string) => ofType(type).map(([, { Properties }]) => Properties);
    expect(properties('AWS::KMS::Key')).toEqual([expect.objectContaining({ EnableKeyRotation: true })]);

    for (const { SSESpecification } of properties('AWS::DynamoDB::Table')) {
      expect(SSESpecification).toMatchObject({ SSEType: 'KMS', KMSMasterKeyId: expect.anything() });
    }
    for (const group of properties('AWS::Logs::LogGroup')) expect(group).toHaveProperty('KmsKeyId');
    for (const made of properties('AWS::Lambda::Function')) expect(made).toHaveProperty('KmsKeyArn');
    for (const { EncryptionConfiguration } of properties('AWS::StepFunctions::StateMachine')) {
      expect(EncryptionConfiguration).toMatchObject({ Type: 'CUSTOMER_MANAGED_KMS_KEY' });
    }
    for (const { BucketEncryption } of properties('AWS::S3::Bucket')) {
      expect(JSON.stringify(BucketEncryption)).toMatch(/"SSEAlgorithm":"aws:kms"/);
    }
    for (const queue of properties('AWS::SQS::Queue')) expect(queue).toHaveProperty('KmsMasterKeyId');
  });
});

describe('a domain of one’s own', () => {
  const app = synthApp({
    auth: 'cognito',
    domainName: 'mcp.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/x',
    hostedZoneId: 'Z123',
    hostedZoneName: 'example.com',
  });

  test('is what clients connect to, tokens are for and the challenge names', () => {
    expect(asText(app.outputs['McpUrl']!.Value)).toBe('https://mcp.example.com/mcp');
    const everything = JSON.stringify(app.resources);
    expect(everything).toContain('https://mcp.example.com/.well-known/oauth-protected-resource/mcp');
    expect(everything).toContain(String.raw`\"resource\":\"https://mcp.example.com/mcp\"`);
  });

  test('is the only way in, over TLS 1.2', () => {
    const only = (type: string) => app.ofType(type).map(([, { Properties }]) => Properties);

    expect(only('AWS::ApiGateway::RestApi')).toEqual([
      expect.objectContaining({ DisableExecuteApiEndpoint: true }),
    ]);
    expect(only('AWS::ApiGateway::DomainName')).toEqual([
      expect.objectContaining({ SecurityPolicy: 'TLS_1_2' }),
    ]);
    expect(only('AWS::Route53::RecordSet')).toHaveLength(1);
  });
});

test('the API’s own log has nothing in it that a caller sent', () => {
  const { DestinationArn, Format } = stageOf(synthApp({ accessLogs: 'true' }))['AccessLogSetting'];

  expect(DestinationArn).toBeDefined();
  expect(Object.keys(JSON.parse(Format)).sort()).toEqual(
    ['latencyMs', 'method', 'path', 'refusedAs', 'requestId', 'sourceIp', 'status', 'time'].sort(),
  );
});

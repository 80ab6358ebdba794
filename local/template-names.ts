import type { TemplateResource } from './template.ts';

export const REGION = 'us-east-1';
export const ACCOUNT = '000000000000';

export const pseudoParameters: Record<string, unknown> = {
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackName': 'local',
  'AWS::StackId': `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/local/local`,
  'AWS::NotificationARNs': [],
};

type Resolve = (value: unknown) => unknown;

/** The property by which a template may name a resource itself. */
const NAME_PROPERTY: Record<string, string> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::StepFunctions::StateMachine': 'StateMachineName',
  'AWS::ApiGateway::Stage': 'StageName',
  'AWS::SecretsManager::Secret': 'Name',
};

/** What stands between `arn:aws:…:` and the name, for types where it is not the plain `service:region:account:`. */
const ARN: Record<string, (name: string) => string> = {
  'AWS::DynamoDB::Table': (name) => `dynamodb:${REGION}:${ACCOUNT}:table/${name}`,
  'AWS::DynamoDB::GlobalTable': (name) => `dynamodb:${REGION}:${ACCOUNT}:table/${name}`,
  'AWS::Lambda::Function': (name) => `lambda:${REGION}:${ACCOUNT}:function:${name}`,
  'AWS::StepFunctions::StateMachine': (name) => `states:${REGION}:${ACCOUNT}:stateMachine:${name}`,
  'AWS::StepFunctions::Activity': (name) => `states:${REGION}:${ACCOUNT}:activity:${name}`,
  'AWS::IAM::Role': (name) => `iam::${ACCOUNT}:role/${name}`,
  'AWS::IAM::ManagedPolicy': (name) => `iam::${ACCOUNT}:policy/${name}`,
  'AWS::S3::Bucket': (name) => `s3:::${name}`,
  'AWS::SecretsManager::Secret': (name) => `secretsmanager:${REGION}:${ACCOUNT}:secret:${name}`,
};

/** Types whose Ref is their ARN and not their name. */
const REF_IS_ARN = new Set([
  'AWS::StepFunctions::StateMachine',
  'AWS::StepFunctions::Activity',
  'AWS::Lambda::Alias',
  'AWS::Lambda::Version',
  'AWS::IAM::ManagedPolicy',
  'AWS::SNS::Topic',
  'AWS::SecretsManager::Secret',
  'AWS::ECS::TaskDefinition',
]);

/** A resource is called what the template calls it, or else by its logical id. */
const nameOf = (logicalId: string, { Type, Properties }: TemplateResource, resolve: Resolve): string => {
  const given = Properties?.[NAME_PROPERTY[Type] ?? ''];
  if (given !== undefined) return String(resolve(given));
  // A bucket's name is part of a host name.
  return Type === 'AWS::S3::Bucket' ? logicalId.toLowerCase() : logicalId;
};

export const arnOf = (logicalId: string, resource: TemplateResource, resolve: Resolve): string => {
  const { Type, Properties } = resource;
  if (Type === 'AWS::Lambda::Alias' || Type === 'AWS::Lambda::Version') {
    const name = String(resolve(Properties?.FunctionName)).split(':').pop();
    return `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}:${resolve(Properties?.Name ?? '1')}`;
  }
  const name = nameOf(logicalId, resource, resolve);
  const service = Type.split('::')[1]?.toLowerCase();
  return `arn:aws:${ARN[Type]?.(name) ?? `${service}:${REGION}:${ACCOUNT}:${name}`}`;
};

export const refOf = (logicalId: string, resource: TemplateResource, resolve: Resolve): string =>
  REF_IS_ARN.has(resource.Type) ? arnOf(logicalId, resource, resolve) : nameOf(logicalId, resource, resolve);

/** Attributes other than Arn: what the engine uses itself, and for all else a recognisable stand-in. */
export const attributeOf = (logicalId: string, { Type }: TemplateResource, attribute: string): string => {
  if (Type === 'AWS::ApiGateway::RestApi' && attribute === 'RootResourceId') return rootResourceId(logicalId);
  if (Type === 'AWS::StepFunctions::StateMachine' && attribute === 'Name') return logicalId;
  return `${logicalId}-${attribute}`;
};

export const rootResourceId = (restApiId: string): string => `${restApiId}/root`;

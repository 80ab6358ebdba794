import { randomBytes } from 'node:crypto';
import type { ResolvedTemplate } from '../template.ts';
import { awsError, awsReply, type AwsReply } from './calls.ts';

interface SecretProperties {
  SecretString?: string;
  GenerateSecretString?: {
    PasswordLength?: number;
    SecretStringTemplate?: string;
    GenerateStringKey?: string;
  };
}

/** Secrets Manager with the secrets of the template. Generated values are new with every start. */
export class SecretsManager {
  private readonly values: Map<string, string>;

  constructor(template: ResolvedTemplate) {
    const secrets = template.resources<SecretProperties>('AWS::SecretsManager::Secret');
    this.values = new Map(secrets.map(({ arn, properties }) => [arn, valueOf(properties)]));
  }

  serve(operation: string, body: Buffer): AwsReply {
    if (operation !== 'GetSecretValue') {
      return awsError('InvalidAction', `The local engine has no operation ${operation} of Secrets Manager.`);
    }
    const { SecretId: id } = JSON.parse(body.toString()) as { SecretId?: string };
    for (const [arn, value] of this.values) {
      const name = arn.slice(arn.lastIndexOf(':') + 1);
      if (id === arn || id === name) return awsReply({ ARN: arn, Name: name, SecretString: value });
    }
    return awsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  }
}

const valueOf = ({ SecretString: given, GenerateSecretString: generate }: SecretProperties): string => {
  if (given !== undefined) return given;
  const { PasswordLength = 32, SecretStringTemplate: json, GenerateStringKey: key } = generate ?? {};
  const value = randomBytes(PasswordLength).toString('base64url').slice(0, PasswordLength);
  return json !== undefined && key !== undefined
    ? JSON.stringify({ ...JSON.parse(json), [key]: value })
    : value;
};

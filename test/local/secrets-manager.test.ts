import { describe, expect, test } from '@jest/globals';
import { SecretsManager } from '../../local/aws/secrets-manager.ts';
import { ResolvedTemplate } from '../../local/template.ts';

const template = new ResolvedTemplate({
  Resources: {
    Key: {
      Type: 'AWS::SecretsManager::Secret',
      Properties: { GenerateSecretString: { PasswordLength: 64 } },
    },
    Login: {
      Type: 'AWS::SecretsManager::Secret',
      Properties: {
        GenerateSecretString: { SecretStringTemplate: '{"user":"admin"}', GenerateStringKey: 'password' },
      },
    },
  },
});
const ARN = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Key';

const ask = (
  secrets: SecretsManager,
  SecretId: string,
  operation = 'GetSecretValue',
): Record<string, unknown> => {
  const { status, body } = secrets.serve(operation, Buffer.from(JSON.stringify({ SecretId })));
  return { status, ...JSON.parse(body) };
};

describe('Secrets Manager', () => {
  const secrets = new SecretsManager(template);

  test('makes a value up, as long as the template says, and keeps to it', () => {
    const first = ask(secrets, ARN);
    expect(first).toMatchObject({ status: 200, ARN, Name: 'Key' });
    expect(first['SecretString']).toMatch(/^[\w-]{64}$/);
    expect(ask(secrets, 'Key')).toEqual(first);
  });

  test('makes up another one with every start', () => {
    expect(ask(new SecretsManager(template), ARN)['SecretString']).not.toBe(
      ask(secrets, ARN)['SecretString'],
    );
  });

  test('puts it into the JSON that the template gives', () => {
    const login = JSON.parse(String(ask(secrets, 'Login')['SecretString']));
    expect(login).toEqual({ user: 'admin', password: expect.stringMatching(/^[\w-]{32}$/) });
  });

  test('has no others', () => {
    expect(ask(secrets, 'Other')).toMatchObject({ status: 400, __type: 'ResourceNotFoundException' });
  });

  test('says which operations it lacks', () => {
    expect(ask(secrets, ARN, 'PutSecretValue')).toMatchObject({ status: 400, __type: 'InvalidAction' });
  });
});

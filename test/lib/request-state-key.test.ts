import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { defineSyncTool } from '../../lambdas/protocol/define-tool.ts';
import { synthStack } from '../support/synth.ts';
import { appTemplate, asText } from '../support/template.ts';

const tool = (requestState?: boolean) =>
  defineSyncTool({ title: 'Book', description: 'Books.', inputSchema: z.object({}), requestState });

describe('the key that seals the state of tools', () => {
  test('is not there as long as no tool keeps state', () => {
    expect(appTemplate().ofType('AWS::SecretsManager::Secret')).toEqual([]);
    expect(
      synthStack({ tools: { book: tool() }, workflows: {} }).ofType('AWS::SecretsManager::Secret'),
    ).toEqual([]);
  });

  describe('once a tool does', () => {
    const { ofType, endpoint, resources } = synthStack({ tools: { book: tool(true) }, workflows: {} });
    const [id, secret] = ofType('AWS::SecretsManager::Secret')[0]!;

    test('is made up by Secrets Manager, 64 characters long', () => {
      expect(secret.Properties).toMatchObject({
        GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
      });
      expect(secret.Properties).not.toHaveProperty('SecretString');
    });

    test('goes with the stack', () => {
      expect(secret).toMatchObject({ DeletionPolicy: 'Delete' });
    });

    test('the endpoint is told where it is, not what it is', () => {
      const { Variables } = endpoint[1].Properties['Environment'];
      expect(asText(Variables.REQUEST_STATE_SECRET)).toBe(`\${${id}}`);
      expect(JSON.stringify(resources)).not.toContain('resolve:secretsmanager');
    });

    test('the endpoint alone may read this one secret, and do nothing else with secrets', () => {
      const statements = ofType('AWS::IAM::Policy').flatMap(([policy, { Properties }]) =>
        Properties['PolicyDocument'].Statement.map((statement: { Action: unknown; Resource: unknown }) => ({
          policy,
          ...statement,
        })),
      );
      const about = statements.filter((statement) => JSON.stringify(statement).includes('secretsmanager:'));
      expect(about).toEqual([
        {
          policy: expect.stringMatching(/^Endpoint/),
          Effect: 'Allow',
          Action: 'secretsmanager:GetSecretValue',
          Resource: { Ref: id },
        },
      ]);
    });
  });
});

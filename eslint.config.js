import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * Which folder may import what. Each rule forbids by pattern; `typesToo: false` lets types through, so that
 * infrastructure and runtime share types but never code.
 */
const forbid = (files, message, regex, { typesToo = true, ignores = [] } = {}) => ({
  files,
  ignores,
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      { patterns: [{ regex, message, allowTypeImports: !typesToo }] },
    ],
  },
});

const AWS = String.raw`@aws-(sdk|lambda-powertools)/|@types/aws-lambda|aws-lambda$`;
const CDK = String.raw`aws-cdk|constructs|cdk-nag`;
const NOBODY = String.raw`(\.\./)+(local|test|bin)/`;

export default tseslint.config(
  { ignores: ['cdk.out/', '.local/', 'coverage/', 'node_modules/'] },
  eslint.configs.recommended,
  ...tseslint.configs.strict,
  {
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  { files: ['bin/**', 'local/**', 'test/**', 'tools/*/demo/**'], rules: { 'no-console': 'off' } },
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: { process: 'readonly', globalThis: 'readonly', Buffer: 'readonly', URL: 'readonly' },
    },
  },

  forbid(
    ['lambdas/protocol/**'],
    'The protocol core knows neither AWS nor the CDK: it leaves by its two ports.',
    `^(${AWS}|${CDK})|^(\\.\\./)+(aws|mcp|reconcile|step|lib|tools)/|${NOBODY}`,
  ),
  forbid(
    ['lambdas/{mcp,aws,step,reconcile}/**'],
    'The runtime never imports infrastructure.',
    `^(${CDK})|(\\.\\./)+lib/|${NOBODY}`,
  ),
  forbid(
    ['tools/*/tool.ts'],
    'A manifest is pure: zod and define-tool only.',
    String.raw`^(?!zod$|(\.\./)+lambdas/protocol/define-tool\.ts$)`,
  ),
  forbid(
    ['tools/*/steps/**', 'tools/*/handler.ts'],
    'Code that runs in a Lambda never imports infrastructure.',
    `^(${CDK})|(\\.\\./)+lib/|${NOBODY}`,
  ),
  forbid(
    ['lib/**', 'tools/*/workflow.ts', 'tools/workflows.ts'],
    'Infrastructure takes types of the runtime, and its handlers by path; never its code.',
    `^(${AWS})|(\\.\\./)+lambdas/|/steps/|/handler\\.ts$`,
    { typesToo: false },
  ),
  forbid(['lib/**', 'bin/**'], 'Nothing imports local or test.', `(\\.\\./)+(local|test)/`, {
    ignores: ['lib/**'],
  }),
);

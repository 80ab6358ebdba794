import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * Which folder may import what (the table in CONTRIBUTING.md). `types: true` lets `import type` through, so that
 * infrastructure and runtime share types but never code. ESLint takes the last configuration that fits a file, so
 * a folder's whole rule stands in one place.
 */
const imports = (files, ...patterns) => ({
  files,
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        patterns: patterns.map(({ regex, message, types = false }) => ({
          regex,
          message,
          allowTypeImports: types,
        })),
      },
    ],
  },
});

const up = String.raw`^(\.\.?/)+`;
const aws = {
  regex: '^(@aws-(sdk|lambda-powertools)/|aws-lambda$)',
  message: 'Not here: this code knows no AWS.',
};
const cdk = {
  regex: '^(aws-cdk-lib|constructs|cdk-nag)',
  message: 'Infrastructure: the runtime never imports it.',
};
const lib = { regex: `${up}lib/`, message: cdk.message };
const graphs = { regex: String.raw`${up}(.*/)?workflows?\.ts$`, message: cdk.message };
const nobody = {
  regex: `${up}(local|test|bin|scripts)/`,
  message: 'Nothing imports the engine, the tests or the app.',
};
const core = {
  regex: `${up}(aws|mcp|reconcile|step|authorizer|lib|tools)/`,
  message: 'The protocol core leaves by its two ports.',
};
const pure = {
  regex: String.raw`^(?!zod$|(\.\./)+lambdas/protocol/define-tool\.ts$)`,
  message: 'A manifest is pure: zod and define-tool only.',
};
const awsCode = { ...aws, types: true, message: 'Code of the runtime: infrastructure takes its types only.' };
const runtimeCode = {
  regex: String.raw`${up}lambdas/|/steps/|/handlers?\.ts$`,
  message: 'Infrastructure takes types of the runtime, and its handlers by path; never its code.',
  types: true,
};

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
  {
    files: ['bin/**', 'examples/**', 'local/**', 'scripts/**', 'test/**', 'tools/*/demo/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: {
        process: 'readonly',
        globalThis: 'readonly',
        Buffer: 'readonly',
        URL: 'readonly',
      },
    },
  },

  imports(['lambdas/protocol/**'], aws, cdk, core, nobody),
  imports(['lambdas/!(protocol)/**'], cdk, lib, graphs, nobody),
  imports(['tools/*/*.ts', 'tools/*.ts'], nobody),
  imports(['tools/*/tool.ts'], pure),
  imports(
    ['tools/*/steps/**', 'tools/*/handler.ts', 'tools/{handlers,prompts,resources}.ts'],
    cdk,
    lib,
    graphs,
    nobody,
  ),
  imports(['lib/**', 'tools/*/workflow.ts', 'tools/workflows.ts'], awsCode, runtimeCode, nobody),
  imports(['bin/**'], { ...nobody, regex: `${up}(local|scripts|test)/` }),
);

import { availableParallelism } from 'node:os';

// The AWS SDK would say in every suite that it is going to want a newer Node.js.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
// And the CDK would check each stack of each suite against CloudFormation's schemas, which `cdk synth` does in .ci/run.
process.env.CDK_VALIDATION = 'false';

/** @type {import('jest').Config} */
export default {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  setupFiles: ['<rootDir>/test/support/one-realm.ts', '<rootDir>/test/support/wire/checked-fetch.ts'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // SWC only strips types and turns ES modules into what Jest runs; `npm run typecheck` checks them.
  transform: {
    '^.+\\.[jt]s$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  // ext-tasks is published as ES modules only (as jose is), with no entry that `require` may use.
  moduleNameMapper: {
    '^@modelcontextprotocol/ext-tasks/(.*)$':
      '<rootDir>/node_modules/@modelcontextprotocol/ext-tasks/dist/$1/index.js',
  },
  transformIgnorePatterns: ['/node_modules/(?!(@modelcontextprotocol/ext-tasks|jose)/)'],
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/.local'],

  // Most suites wait most of the time, so two cores do for three; Jest would leave one of two free.
  maxWorkers: Math.max(availableParallelism(), 3),
  testTimeout: 30_000,
};

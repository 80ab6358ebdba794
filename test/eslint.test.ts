import { describe, expect, test } from '@jest/globals';
import { ESLint } from 'eslint';
// @ts-expect-error -- a configuration written in JavaScript has no types
import config from '../eslint.config.js';

// The table of imports in CONTRIBUTING and in the linter's configuration, from the outside: does it bite?
const eslint = new ESLint({ overrideConfigFile: true, overrideConfig: config });

/** Whether a file of this path may have this line. */
const refusal = async (filePath: string, line: string): Promise<string | undefined> => {
  const [result] = await eslint.lintText(`${line}\n`, { filePath });
  return result?.messages.find(({ ruleId }) => ruleId?.endsWith('no-restricted-imports'))?.message;
};
const value = (source: string): string => `export { x } from '${source}';`;
const type = (source: string): string => `export type { X } from '${source}';`;

const forbidden: Record<string, string[]> = {
  'lambdas/protocol/x.ts': [
    value('@aws-sdk/client-dynamodb'),
    type('@aws-sdk/client-dynamodb'),
    value('@aws-lambda-powertools/logger'),
    type('aws-lambda'),
    value('aws-cdk-lib'),
    value('aws-cdk-lib/aws-sqs'),
    type('constructs'),
    value('../aws/dynamo-task-store.ts'),
    value('../mcp/http.ts'),
    type('../step/index.ts'),
    value('../reconcile/handler.ts'),
    type('../../lib/settings.ts'),
    value('../../tools/index.ts'),
    value('../../local/engine.ts'),
    value('../../test/support/mcp.ts'),
  ],
  'tools/example/tool.ts': [
    value('aws-cdk-lib'),
    value('@aws-sdk/client-sfn'),
    value('@modelcontextprotocol/server'),
    value('node:fs'),
    value('../../lambdas/protocol/tasks.ts'),
    value('../../lambdas/step/index.ts'),
    value('../../lib/workflow-kit/index.ts'),
    value('./steps/plan.ts'),
    value('./workflow.ts'),
    value('../other/tool.ts'),
  ],
  'lambdas/mcp/x.ts': [
    value('aws-cdk-lib'),
    type('constructs'),
    type('../../lib/settings.ts'),
    value('../../tools/workflows.ts'),
    value('../../tools/example/workflow.ts'),
    value('../../local/engine.ts'),
    value('../../test/support/mcp.ts'),
    value('../../bin/app.ts'),
  ],
  'lambdas/aws/x.ts': [value('aws-cdk-lib'), value('../../lib/settings.ts'), value('../../local/engine.ts')],
  'lambdas/step/x.ts': [value('aws-cdk-lib'), value('../../lib/settings.ts')],
  'lambdas/reconcile/x.ts': [value('aws-cdk-lib'), value('../../lib/settings.ts')],
  'tools/example/steps/x.ts': [
    value('aws-cdk-lib'),
    type('constructs'),
    value('../../../lib/settings.ts'),
    value('../workflow.ts'),
    value('../../workflows.ts'),
    value('../../../local/engine.ts'),
  ],
  'tools/example/handler.ts': [value('aws-cdk-lib'), value('../../lib/settings.ts'), value('./workflow.ts')],
  'lib/x.ts': [
    value('@aws-sdk/client-dynamodb'),
    value('../lambdas/protocol/tasks.ts'),
    value('../lambdas/mcp/environment.ts'),
    value('../tools/example/steps/plan.ts'),
    value('../tools/example/handler.ts'),
    value('../local/engine.ts'),
    type('../local/engine.ts'),
    value('../test/support/synth.ts'),
  ],
  'lib/workflow-kit/x.ts': [value('../../lambdas/protocol/tasks.ts'), value('../../local/engine.ts')],
  'tools/example/workflow.ts': [
    value('@aws-sdk/client-dynamodb'),
    value('../../lambdas/step/index.ts'),
    value('./steps/plan.ts'),
    value('./handler.ts'),
    value('../../local/engine.ts'),
  ],
  'tools/workflows.ts': [value('../lambdas/protocol/tasks.ts'), value('./example/handler.ts')],
  'tools/index.ts': [value('../local/engine.ts'), value('../test/support/mcp.ts')],
  'bin/app.ts': [value('../local/engine.ts'), value('../test/support/synth.ts')],
};

const allowed: Record<string, string[]> = {
  'lambdas/protocol/x.ts': [
    value('zod'),
    value('./tasks.ts'),
    value('node:crypto'),
    value('@modelcontextprotocol/server'),
    type('@modelcontextprotocol/ext-tasks/core/v2'),
  ],
  'tools/example/tool.ts': [value('zod'), value('../../lambdas/protocol/define-tool.ts')],
  'lambdas/mcp/x.ts': [
    value('@aws-sdk/client-dynamodb'),
    type('aws-lambda'),
    value('../protocol/tasks.ts'),
    value('../aws/dynamo-task-store.ts'),
    value('../../tools/index.ts'),
    value('../../tools/handlers.ts'),
  ],
  'lambdas/aws/x.ts': [value('@aws-sdk/client-sfn'), type('../protocol/ports.ts')],
  'lambdas/step/x.ts': [value('../protocol/tool-error.ts')],
  'lambdas/reconcile/x.ts': [value('../aws/dynamo-task-store.ts'), value('../protocol/tasks.ts')],
  'tools/example/steps/x.ts': [
    value('@aws-sdk/lib-dynamodb'),
    value('../../../lambdas/step/index.ts'),
    value('../migrations.ts'),
    value('./other.ts'),
  ],
  'tools/example/handler.ts': [type('../../lambdas/protocol/define-tool.ts'), value('./migrations.ts')],
  'lib/x.ts': [
    value('aws-cdk-lib'),
    value('constructs'),
    value('zod'),
    type('../lambdas/mcp/environment.ts'),
    value('./settings.ts'),
  ],
  'tools/example/workflow.ts': [
    value('aws-cdk-lib/aws-stepfunctions'),
    value('../../lib/workflow-kit/index.ts'),
    type('./steps/plan.ts'),
    value('./tool.ts'),
  ],
  'tools/workflows.ts': [value('./example/workflow.ts'), type('./index.ts')],
  'bin/app.ts': [value('../lib/settings.ts'), value('../tools/workflows.ts'), value('aws-cdk-lib')],
  'local/x.ts': [value('../lib/settings.ts'), value('../lambdas/mcp/http.ts'), value('aws-cdk-lib')],
  'test/x.test.ts': [value('../local/engine.ts'), value('../lib/settings.ts'), value('../tools/index.ts')],
};

const cases = (table: Record<string, string[]>): [string, string][] =>
  Object.entries(table).flatMap(([file, lines]) => lines.map((line): [string, string] => [file, line]));

describe('refuses, and says why', () => {
  test.each(cases(forbidden))('in %s: %s', async (file, line) => {
    expect(await refusal(file, line)).toEqual(expect.stringMatching(/is restricted.*\. [A-Z].*\.$/s));
  });
});

describe('lets through', () => {
  test.each(cases(allowed))('in %s: %s', async (file, line) => {
    expect(await refusal(file, line)).toBeUndefined();
  });
});

test.each([
  'lambdas/protocol/x.ts',
  'lambdas/mcp/x.ts',
  'lib/x.ts',
  'tools/example/tool.ts',
  'tools/example/steps/x.ts',
])('the other rules count in %s as everywhere', async (filePath) => {
  const [result] = await eslint.lintText('export const f = (a: number) => { console.log(a == 1); };\n', {
    filePath,
  });
  const rules = result?.messages.map(({ ruleId }) => ruleId);

  expect(rules).toEqual(expect.arrayContaining(['no-console', 'eqeqeq']));
});

import { parseArgs } from 'node:util';
import { outputsOfFile, stackOutputs } from '../../scripts/stack-outputs.ts';
import { withKnownGaps } from '../emulator/known-gaps.ts';
import { runAll, scenariosFor } from '../scenarios/run.ts';
import { tenants, uninvited } from './callers.ts';
import { bearer, deployedTarget } from './target.ts';
import { hasUserPool, machineToken } from './token.ts';

const USAGE = `npm run test:deployed -- --stack NAME [--outputs-file FILE] [--other-client ID]

Runs the scenarios of test/scenarios against a deployed stack. They overwrite the records of run_migration: give them
a stack of their own, and destroy it afterwards.

  --stack NAME          the stack; its outputs are read from CloudFormation
  --outputs-file FILE   read them from what \`cdk deploy --outputs-file FILE\` wrote instead
  --other-client ID     a second client of the stack's user pool (-c clientIds=ID), to be another tenant

AWS is found as any AWS SDK finds it: AWS_PROFILE, AWS_REGION. With AWS_ENDPOINT_URL it is an emulator, whose gaps
(docs/emulator.md) are expected.
Tokens are fetched from the stack's user pool; with an issuer of yours, put one into MCP_TOKEN, and one of another
tenant into MCP_OTHER_TOKEN.`;

process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
const { values: options } = parseArgs({
  options: {
    stack: { type: 'string' },
    'outputs-file': { type: 'string' },
    'other-client': { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (options.help || options.stack === undefined) {
  console.log(USAGE);
  process.exit(options.help ? 0 : 2);
}

const outputs = options['outputs-file']
  ? outputsOfFile(options['outputs-file'], options.stack)
  : await stackOutputs(options.stack);
const { MCP_TOKEN, MCP_OTHER_TOKEN } = process.env;
const token = MCP_TOKEN ?? (hasUserPool(outputs) ? await machineToken(outputs) : undefined);
const otherToken = options['other-client']
  ? await machineToken(outputs, options['other-client'])
  : MCP_OTHER_TOKEN;

const target = deployedTarget(outputs, token);
const scenarios = scenariosFor(target);
console.log(`${options.stack}: ${target.mcpUrl}`);
if (token === undefined) console.log('It is open to everybody: there are no callers to tell apart.');
else if (otherToken === undefined) console.log('One caller only: see --help for a second tenant.');
const failed = await runAll({
  ...(process.env['AWS_ENDPOINT_URL'] ? withKnownGaps(scenarios) : scenarios),
  ...(token && uninvited(target)),
  ...(token && otherToken && tenants(target, bearer(otherToken))),
});
process.exitCode = failed === 0 ? 0 : 1;

import { parseArgs } from 'node:util';
import { outputsOfFile, stackOutputs } from '../../scripts/stack-outputs.ts';
import { runAll, scenariosFor } from '../scenarios/run.ts';
import { deployedTarget } from './target.ts';

const USAGE = `npm run test:deployed -- --stack NAME [--outputs-file FILE] [--mcp-url URL]

Runs the scenarios of test/scenarios against a deployed stack. They overwrite the records of run_migration: give them
a stack of their own, and destroy it afterwards.

  --stack NAME          the stack; its outputs are read from CloudFormation
  --outputs-file FILE   read them from what \`cdk deploy --outputs-file FILE\` wrote instead
  --mcp-url URL         where the API is, if not where the stack says (an emulator)

AWS is found as any AWS SDK finds it: AWS_PROFILE, AWS_REGION, AWS_ENDPOINT_URL.
A token is fetched from the stack's user pool; with an issuer of yours, put one into MCP_TOKEN.`;

process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
const { values: options } = parseArgs({
  options: {
    stack: { type: 'string' },
    'outputs-file': { type: 'string' },
    'mcp-url': { type: 'string' },
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
const target = await deployedTarget(outputs, options['mcp-url']);
console.log(`${options.stack}: ${target.mcpUrl}`);
process.exitCode = (await runAll(scenariosFor(target))) === 0 ? 0 : 1;

import { join } from 'node:path';
import { stackOutputs } from '../../scripts/stack-outputs.ts';
import { deployedTarget } from '../deployed/target.ts';
import { runAll, scenariosFor } from '../scenarios/run.ts';
import { cdk } from './cdk.ts';
import { checks } from './checks.ts';
import { withKnownGaps } from './known-gaps.ts';
import { EmulatorUnavailable, installMinistack, startMinistack, type Ministack } from './ministack.ts';

/** Nothing was tested, and nothing is wrong with this repository: the machine cannot run the emulator. */
const UNAVAILABLE = 42;

const STACK = 'McpTasks';
/**
 * Emulator-only: it does not know `responseTransferMode: STREAM`, and the authorizer would fetch the user pool's keys
 * from Cognito itself (docs/emulator.md).
 */
const CONTEXT = ['-c', 'auth=none', '-c', 'streaming=false'];

const environment = ({ endpoint }: Ministack) => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: '000000000000',
  AWS_SECRET_ACCESS_KEY: 'test',
  // A developer's own profiles must not be found.
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
});

/** An address under amazonaws.com, as the emulator serves it. */
const urlAt = (endpoint: string, url: string): string => {
  const { hostname, pathname } = new URL(url);
  return `${endpoint}/_aws/execute-api/${hostname.split('.')[0]}${pathname}`;
};

const test = async (ministack: Ministack, signal: AbortSignal): Promise<number> => {
  Object.assign(process.env, environment(ministack));
  const run = (...args: string[]) => cdk({ ...process.env, CI: '1' }, [...args, ...CONTEXT], signal);
  const deploy = (...args: string[]) => run('deploy', '--require-approval', 'never', ...args);

  await step('cdk bootstrap', () => run('bootstrap', 'aws://000000000000/us-east-1'));
  await step('cdk deploy', () => deploy());
  const outputs = await stackOutputs(STACK);
  const target = await deployedTarget(outputs, urlAt(ministack.endpoint, outputs['McpUrl']!));
  return runAll({
    ...withKnownGaps(scenariosFor(target)),
    ...checks({
      target,
      outputs,
      deployAgain: () => deploy('-c', 'serverVersion=0.2.0'),
      destroy: () => run('destroy', '--force'),
    }),
  });
};

const step = async (name: string, work: () => Promise<void>): Promise<void> => {
  const start = Date.now();
  await work();
  console.log(`  done  ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
};

const main = async (): Promise<number> => {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
  console.log(`MiniStack ${await installMinistack()}`);
  const ministack = await startMinistack();
  try {
    const failed = await Promise.race([test(ministack, stopped.signal), untilAborted(stopped.signal)]);
    if (failed > 0) console.log(`What the emulator said: ${join('.local', 'emulator.log')}`);
    return failed > 0 ? 1 : 0;
  } finally {
    await ministack.stop();
  }
};

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, fail) => signal.addEventListener('abort', () => fail(new Error('Interrupted'))));

try {
  process.exit(await main());
} catch (error) {
  console.error((error as Error).message);
  process.exit(error instanceof EmulatorUnavailable ? UNAVAILABLE : 1);
}

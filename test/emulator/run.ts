import { join } from 'node:path';
import { stackOutputs } from '../../scripts/stack-outputs.ts';
import { deployedTarget } from '../deployed/target.ts';
import { addMachineClient, machineToken } from '../deployed/token.ts';
import { runAll } from '../scenarios/run.ts';
import { checks } from './checks.ts';
import { command, shownCommand } from './command.ts';
import { EmulatorUnavailable, installMinistack, startMinistack, type Ministack } from './ministack.ts';

/** Nothing was tested, and nothing is wrong with this repository: the machine cannot run the emulator. */
const UNAVAILABLE = 42;

/** A check may bundle and deploy a stack, on a machine that has other things to do. */
const LONGEST_CHECK_MS = 300_000;

const STACK = 'McpTasks';
/** Emulator-only: it does not know `responseTransferMode: STREAM` (docs/emulator.md). */
const CONTEXT = ['-c', 'streaming=false'];

const environment = ({ endpoint }: Ministack) => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: '000000000000',
  AWS_SECRET_ACCESS_KEY: 'test',
  // A developer's own profiles must not be found.
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
});

const test = async (ministack: Ministack, signal: AbortSignal): Promise<number> => {
  Object.assign(process.env, environment(ministack));
  const cdk = (name: string, ...args: string[]) => {
    const unattended = name === 'deploy' ? ['--require-approval', 'never'] : [];
    return command(['npx', 'cdk', name, ...unattended, ...args, ...CONTEXT], signal);
  };

  await step('cdk bootstrap', () => cdk('bootstrap', 'aws://000000000000/us-east-1'));
  await step('cdk deploy', () => cdk('deploy'));
  const outputs = await stackOutputs(STACK);
  return runAll(
    checks({
      stack: STACK,
      target: deployedTarget(outputs, await machineToken(outputs)),
      outputs,
      otherClient: await addMachineClient(outputs, 'another tenant'),
      cdk,
      npmRun: (...args) => shownCommand(['npm', 'run', '--silent', ...args], signal),
    }),
    LONGEST_CHECK_MS,
  );
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
    // A test that took too long may have left a command behind.
    stopped.abort();
    await ministack.stop();
  }
};

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, fail) => signal.addEventListener('abort', () => fail(new Error('Interrupted'))));

// The AWS SDK would say in every run that it is going to want a newer Node.js.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
try {
  process.exit(await main());
} catch (error) {
  console.error((error as Error).message);
  process.exit(error instanceof EmulatorUnavailable ? UNAVAILABLE : 1);
}

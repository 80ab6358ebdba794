import assert from 'node:assert/strict';
import { outputOf, stackOutputs } from '../../scripts/stack-outputs.ts';
import { runSuite } from '../conformance/suite.ts';
import { reach } from '../deployed/reach.ts';

/** What is deployed is kept, so that removing it need not bundle it again. */
const ASSEMBLY = '.local/conformance.out';
/** The suite sends no token. */
const APP = ['--app', 'npx tsx test/conformance/app.ts', '--output', ASSEMBLY, '-c', 'auth=none'];
const STACK = 'Conformance';

/** How many checks there are for a server that does not stream; `npm run conformance` has the rest. */
const BAR = 44;

type Cdk = (...args: string[]) => Promise<void>;

/** The fixtures of test/conformance as a second stack beside the first, and the official suite against them. */
export const conformance = (cdk: Cdk): Record<string, () => Promise<void>> => ({
  async 'the official suite’s scenarios of tasks, on a second stack'() {
    await cdk('deploy', ...APP);
    const mcpUrl = reach(outputOf(await stackOutputs(STACK), 'McpUrl'));
    const results = await runSuite(mcpUrl, ['--suite', 'pending']);
    const tasks = results.filter(({ scenario }) => scenario.startsWith('tasks-'));
    assert.deepEqual(
      tasks.flatMap(({ scenario, failed, remarks }) => (failed > 0 ? [scenario, ...remarks] : [])),
      [],
    );
    const passed = tasks.reduce((total, scenario) => total + scenario.passed, 0);
    assert.ok(passed >= BAR, `${passed} checks passed, which should be ${BAR} at least`);
    await cdk('destroy', '--force', '--app', ASSEMBLY);
  },
});

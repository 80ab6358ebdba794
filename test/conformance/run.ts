import { startEngine } from '../../local/engine.ts';
import { connect } from '../../local/mcp-client.ts';
import { localContext } from '../../local/local-context.ts';
import { removeAssembly, synthesize } from '../../local/synth.ts';
import { runSuite, type ScenarioResult } from './suite.ts';

/** `npm run conformance`: the official suite against the fixtures, on the embedded engine. */
const SELECTIONS = [
  { name: 'Requirements of 2026-07-28', options: ['--requirements', '2026-07-28'], bar: 194 },
  { name: 'Pending, with all tasks-*', options: ['--suite', 'pending'], bar: 79 },
];

/** The suite gives a first request half a second, and a cold start may take longer. */
const warm = async (mcpUrl: string): Promise<void> => {
  const { client, close } = await connect(mcpUrl);
  await client.listTools();
  await close();
};

const report = ({ scenario, passed, failed, skipped, remarks }: ScenarioResult): void => {
  const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped by the suite` : ''}`;
  console.log(`  ${failed === 0 ? '✓' : '✗'} ${scenario.padEnd(46)} ${counts}`);
  for (const remark of remarks) console.log(`      ${remark}`);
};

/** @returns whether all of it passed, and as much of it as must */
const run = async (mcpUrl: string, { name, options, bar }: (typeof SELECTIONS)[number]): Promise<boolean> => {
  console.log(`\n${name}\n`);
  const results = await runSuite(mcpUrl, options);
  results.forEach(report);
  const sum = (key: 'passed' | 'failed') => results.reduce((total, result) => total + result[key], 0);
  console.log(`\n  Total: ${sum('passed')} passed (at least ${bar}), ${sum('failed')} failed (none)`);
  return sum('failed') === 0 && sum('passed') >= bar;
};

const conformance = async (): Promise<boolean> => {
  const assembly = await synthesize({ app: 'test/conformance/app.ts', context: localContext() });
  try {
    const engine = await startEngine({ assembly, log: (source, line) => logs.push(`${source} | ${line}`) });
    try {
      await warm(engine.mcpUrl);
      let passed = true;
      for (const selection of SELECTIONS) passed = (await run(engine.mcpUrl, selection)) && passed;
      return passed;
    } finally {
      await engine.close();
    }
  } finally {
    removeAssembly(assembly);
  }
};

// The AWS SDK would say in every run that it is going to want a newer Node.js.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const logs: string[] = [];
if (!(await conformance())) {
  console.error(`\nNot conformant. What the server logged last:\n\n${logs.slice(-40).join('\n')}`);
  process.exitCode = 1;
}

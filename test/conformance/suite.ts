import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The referee. A newer one may ask for more: change it here, look, and set the bar in run.ts anew. */
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';

/** The suite crashes on Node.js 20, which this repository still supports: npm brings a newer one along. */
const NODE = 'node@24';

export interface ScenarioResult {
  scenario: string;
  passed: number;
  failed: number;
  /** By the suite itself: what this server does not claim, or the suite cannot test. */
  skipped: number;
  /** What failed, or is only recommended, in the suite's words. */
  remarks: string[];
}

interface Check {
  name: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

/** Runs a selection of scenarios (`--suite pending`, say) against a server. @throws if the suite itself fails */
export const runSuite = async (mcpUrl: string, selection: string[]): Promise<ScenarioResult[]> => {
  const results = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const options = ['--url', mcpUrl, '--timeout', '120000', '--output-dir', results];
    const output = await npx('conformance', 'server', ...selection, ...options);
    const scenarios = readdirSync(results)
      .sort()
      .map((directory) => read(results, directory));
    if (scenarios.length === 0) throw new Error(`The suite ran nothing:\n${output}`);
    return scenarios;
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
};

/** Directories are called `server-<scenario>-<time>`. */
const read = (results: string, directory: string): ScenarioResult => {
  const scenario = directory.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
  const checks = JSON.parse(readFileSync(join(results, directory, 'checks.json'), 'utf8')) as Check[];
  const count = (wanted: Check['status']) => checks.filter(({ status }) => status === wanted).length;
  return {
    scenario,
    passed: count('SUCCESS'),
    failed: count('FAILURE'),
    skipped: count('SKIPPED'),
    remarks: checks
      .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
      .map(({ status, name, errorMessage = '' }) => `${status} ${name} ${errorMessage}`),
  };
};

/** npm's own runner. Its exit code says that a check failed, which the results say better. */
const npx = (...command: string[]): Promise<string> =>
  new Promise((done) => {
    const args = ['--yes', `--package=${NODE}`, `--package=${SUITE}`, '--', ...command];
    execFile('npx', args, { maxBuffer: 256 * 1024 * 1024 }, (error, stdout, stderr) =>
      done(`${stdout}${stderr}${error ? `\n${error.message.split('\n')[0]}` : ''}`),
    );
  });

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const repository = resolve(import.meta.dirname, '../..');

/**
 * The CDK's own command line, as anybody would call it.
 * @throws with the end of its output when it fails
 */
export const cdk = async (env: NodeJS.ProcessEnv, args: string[], signal: AbortSignal): Promise<void> => {
  const child = spawn('npx', ['cdk', ...args], {
    cwd: repository,
    env,
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', (line) => lines.push(line));
  }
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`cdk ${args.join(' ')}\n${lines.slice(-40).join('\n')}`);
};

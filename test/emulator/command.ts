import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { signalGroup } from './process-group.ts';

const repository = resolve(import.meta.dirname, '../..');

type Command = [file: string, ...args: string[]];

/**
 * A command of this repository, as anybody would give it. Aborting ends it with everything that it started.
 * @throws with the end of its output when it fails
 */
export const command = async (line: Command, signal: AbortSignal): Promise<void> => {
  const child = start(line, signal, ['ignore', 'pipe', 'pipe']);
  const lines: string[] = [];
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output! }).on('line', (text) => lines.push(text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${line.join(' ')}\n${lines.slice(-40).join('\n')}`);
};

/** The same, for one whose output is for whoever watches. */
export const shownCommand = async (line: Command, signal: AbortSignal): Promise<void> => {
  const child = start(line, signal, ['ignore', 'inherit', 'inherit']);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${line.join(' ')} ended with ${code}`);
};

const start = ([file, ...args]: Command, signal: AbortSignal, stdio: StdioOptions) => {
  signal.throwIfAborted();
  const child = spawn(file, args, {
    cwd: repository,
    // The CDK's command line is terser where nobody watches.
    env: { ...process.env, CI: '1' },
    stdio,
    // npx starts a shell, that a program, that the app: a signal to npx alone would leave them to go on.
    detached: true,
  });
  const stop = (): void => signalGroup(child, 'SIGKILL');
  signal.addEventListener('abort', stop);
  child.once('close', () => signal.removeEventListener('abort', stop));
  return child;
};

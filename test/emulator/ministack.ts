import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { signalGroup } from './process-group.ts';

const run = promisify(execFile);
const local = resolve(import.meta.dirname, '../../.local');
const venv = join(local, 'ministack');
const python = join(venv, 'bin/python');

/** The machine has no Python, or no way to the package index: nothing is wrong with this repository. */
export class EmulatorUnavailable extends Error {}

/** Installs the current release into a virtual environment under `.local/`. @returns its version */
export const installMinistack = async (): Promise<string> => {
  if (!existsSync(python)) {
    await run('python3', ['-m', 'venv', venv]).catch((error: Error) => {
      // Half of one would be taken for a whole one the next time.
      rmSync(venv, { recursive: true, force: true });
      throw new EmulatorUnavailable(`The emulator needs python3 with its venv module: ${error.message}`);
    });
  }
  // Without cryptography it signs the tokens of user pools with nothing.
  const packages = ['ministack', 'cryptography'];
  await run(python, ['-m', 'pip', 'install', '--quiet', '--upgrade', ...packages]).catch((error: Error) => {
    throw new EmulatorUnavailable(`The emulator could not be installed from PyPI: ${error.message}`);
  });
  const version = 'from importlib.metadata import version; print(version("ministack"))';
  return (await run(python, ['-c', version])).stdout.trim();
};

export interface Ministack {
  /** For AWS_ENDPOINT_URL. */
  endpoint: string;
  /** What it writes; kept after the run. */
  logFile: string;
  /** Ends it and everything that it started, and removes its files. */
  stop(): Promise<void>;
}

/** A fresh emulator on a free port: a second deployment into a used one is another test than this. */
export const startMinistack = async (): Promise<Ministack> => {
  mkdirSync(local, { recursive: true });
  const directory = mkdtempSync(join(local, 'emulator-'));
  // It writes its Lambda workers there as CommonJS; below this repository's package.json Node.js would not see that.
  writeFileSync(join(directory, 'package.json'), '{ "type": "commonjs" }');
  const logFile = join(local, 'emulator.log');
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const server = spawn(python, ['-m', 'ministack'], {
    cwd: directory,
    env: {
      PATH: `${lambdaRuntime(directory)}${delimiter}${process.env['PATH']}`,
      LANG: 'C.UTF-8',
      HOME: directory,
      TMPDIR: directory,
      STATE_DIR: join(directory, 'state'),
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      // For the Lambdas, which take it as a sign to address buckets by path.
      AWS_ENDPOINT_URL_S3: endpoint,
      // Listeners on ports of their own, which nothing here uses.
      IOT_MTLS_ENABLED: '0',
      SFTP_ENABLED: '0',
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    },
    stdio: ['ignore', openSync(logFile, 'w'), openSync(logFile, 'a')],
    // A process group of its own: Lambda workers are its children, and stop with it.
    detached: true,
  });
  const stop = async (): Promise<void> => {
    await stopGroup(server);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await untilReady(server, `${endpoint}/_ministack/health`);
  } catch (error) {
    await stop();
    throw new Error(`The emulator did not start; see ${logFile}`, { cause: error });
  }
  return { endpoint, logFile, stop };
};

/** What the emulator runs Lambdas with: this Node.js, told where Cognito is. @returns the folder that has it */
const lambdaRuntime = (directory: string): string => {
  const folder = join(directory, 'bin');
  const preload = pathToFileURL(join(import.meta.dirname, 'cognito-address.js')).href;
  mkdirSync(folder);
  const script = `#!/bin/sh\nexec ${quoted(process.execPath)} --import ${quoted(preload)} "$@"\n`;
  writeFileSync(join(folder, 'node'), script, { mode: 0o755 });
  return folder;
};

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

const START_MS = 60_000;

const untilReady = async (server: ChildProcess, url: string): Promise<void> => {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline;) {
    if (server.exitCode !== null) throw new Error(`It exited with ${server.exitCode}`);
    const ready = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`It did not answer within ${START_MS / 1000} seconds`);
};

const stopGroup = async (server: ChildProcess): Promise<void> => {
  const exited = server.exitCode === null ? once(server, 'exit') : undefined;
  signalGroup(server, 'SIGTERM');
  const patience = setTimeout(() => signalGroup(server, 'SIGKILL'), 10_000);
  await exited;
  clearTimeout(patience);
  // Workers that outlived it.
  signalGroup(server, 'SIGKILL');
};

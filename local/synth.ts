import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Template } from './template.ts';

/** What a synthesis leaves on disk: the stack's template, and beside it the bundles its functions are made of. */
export interface Assembly {
  directory: string;
  template: Template;
}

export interface SynthesizeOptions {
  /** The CDK app, relative to the repository. */
  app?: string;
  /** As `-c name=value` on the command line: wins over cdk.json. */
  context?: Record<string, unknown>;
  /** A new directory under `.local/` by default; see `removeAssembly`. */
  outdir?: string;
  signal?: AbortSignal;
}

const repository = resolve(import.meta.dirname, '..');

/** What `cdk synth` does, without the CLI. @throws with what the app wrote to stderr */
export const synthesize = async ({
  app = 'bin/app.ts',
  context = {},
  outdir,
  signal,
}: SynthesizeOptions = {}): Promise<Assembly> => {
  const directory = outdir === undefined ? temporaryDirectory() : resolve(repository, outdir);
  const env = {
    ...process.env,
    CDK_OUTDIR: directory,
    // Checks the template against CloudFormation's schemas, in 3 s. Nothing here is CloudFormation; `cdk synth` does it.
    CDK_VALIDATION: 'false',
    CDK_CONTEXT_JSON: JSON.stringify({
      // The CLI sets it too. It is what puts each function's asset path into the template.
      'aws:cdk:enable-asset-metadata': true,
      ...contextOfCdkJson(),
      ...context,
    }),
  };
  try {
    await run(process.execPath, ['--import', 'tsx', resolve(repository, app)], env, signal);
    // Lambda takes an index.js for CommonJS; below this repository's package.json Node.js would not.
    writeFileSync(join(directory, 'package.json'), '{ "type": "commonjs" }');
    return readAssembly(directory);
  } catch (error) {
    if (outdir === undefined) rmSync(directory, { recursive: true, force: true });
    throw error;
  }
};

/** @throws unless the assembly holds exactly one stack: the engine runs one */
export const readAssembly = (directory: string): Assembly => {
  const manifest = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as {
    artifacts: Record<string, { type: string; properties?: { templateFile?: string } }>;
  };
  const stacks = Object.values(manifest.artifacts).filter(({ type }) => type === 'aws:cloudformation:stack');
  const file = stacks[0]?.properties?.templateFile;
  if (stacks.length !== 1 || !file) {
    throw new Error(`The local engine runs an app of one stack; this one has ${stacks.length}.`);
  }
  return { directory, template: JSON.parse(readFileSync(join(directory, file), 'utf8')) as Template };
};

export const removeAssembly = ({ directory }: Assembly): void =>
  rmSync(directory, { recursive: true, force: true });

/** Inside the repository, so that a bundle which leaves packages out (the AWS SDK, say) still finds them. */
const temporaryDirectory = (): string => {
  mkdirSync(join(repository, '.local'), { recursive: true });
  return mkdtempSync(join(repository, '.local', 'assembly-'));
};

const contextOfCdkJson = (): Record<string, unknown> => {
  const { context = {} } = JSON.parse(readFileSync(join(repository, 'cdk.json'), 'utf8')) as {
    context?: Record<string, unknown>;
  };
  return context;
};

const run = (program: string, args: string[], env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<void> =>
  new Promise((done, fail) => {
    const options = { cwd: repository, env, signal, maxBuffer: 64 * 1024 * 1024 };
    execFile(program, args, options, (error, _, stderr) => {
      if (error) fail(new Error(`The CDK app failed:\n${stderr.trim() || error.message}`, { cause: error }));
      else done();
    });
  });

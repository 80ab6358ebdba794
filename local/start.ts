import { once } from 'node:events';
import { resolve } from 'node:path';
import { startEngine } from './engine.ts';
import { firstRequest } from './first-request.ts';
import { parseStartOptions, USAGE, type StartOptions } from './start-options.ts';
import { localContext, removeAssembly, synthesize } from './synth.ts';

/** `npm start`: the deployed app on this machine, until Ctrl-C. */
const start = async ({ port, dataDir }: StartOptions, stop: AbortSignal): Promise<void> => {
  const assembly = await synthesize({ context: localContext, signal: stop });
  try {
    const engine = await startEngine({
      assembly,
      port,
      dataDir: dataDir && resolve(dataDir),
      log: (source, line) => console.error(`${source} | ${line}`),
    });
    console.log(banner(engine.mcpUrl, engine.awsEndpoint, dataDir));
    if (!stop.aborted) await once(stop, 'abort');
    await engine.close();
  } finally {
    removeAssembly(assembly);
  }
};

const banner = (mcpUrl: string, awsEndpoint: string, dataDir?: string): string => `
MCP endpoint   ${mcpUrl}
AWS endpoint   ${awsEndpoint}
Tables         ${dataDir ? `kept in ${dataDir}` : 'in memory'}; executions are in memory and end with this process

Ask which tools there are:

${firstRequest(mcpUrl)}

Look at the workflows:

  AWS_ENDPOINT_URL=${awsEndpoint} AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local \\
    aws stepfunctions list-state-machines

Stop with Ctrl-C.
`;

/** Aborts with Ctrl-C or a SIGTERM. */
const stopSignal = (): AbortSignal => {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
};

// The AWS SDK would say in every run that it is going to want a newer Node.js.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const stop = stopSignal();
try {
  const options = parseStartOptions(process.argv.slice(2), process.env);
  if (options === 'help') console.log(USAGE);
  else await start(options, stop);
} catch (error) {
  if (!stop.aborted) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

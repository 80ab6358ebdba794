import { once } from 'node:events';
import { resolve } from 'node:path';
import { startEngine } from './engine.ts';
import { firstRequest } from './first-request.ts';
import { PEOPLE, startIssuer, type LocalIssuer } from './issuer.ts';
import { localContext } from './local-context.ts';
import { parseStartOptions, USAGE, type StartOptions } from './start-options.ts';
import { removeAssembly, synthesize, type Assembly } from './synth.ts';

/** `npm start`: the deployed app on this machine, until Ctrl-C. */
const start = async ({ port, dataDir, auth }: StartOptions, stop: AbortSignal): Promise<void> => {
  const issuer = auth ? await startIssuer(port && port + 1) : undefined;
  let assembly: Assembly | undefined;
  try {
    assembly = await synthesize({ context: localContext(issuer), signal: stop });
    const engine = await startEngine({
      assembly,
      port,
      dataDir: dataDir && resolve(dataDir),
      log: (source, line) => console.error(`${source} | ${line}`),
    });
    console.log(banner(engine.mcpUrl, engine.awsEndpoint, await callers(issuer), dataDir, issuer));
    if (!stop.aborted) await once(stop, 'abort');
    await engine.close();
  } finally {
    await issuer?.close();
    if (assembly) removeAssembly(assembly);
  }
};

/** Who may call, and what with. */
const callers = async (issuer?: LocalIssuer): Promise<string> => {
  if (!issuer)
    return 'Callers        everybody on this machine, without a token (npm start -- --auth asks for one)';
  const tokens = PEOPLE.map(async (name) => `${name}:\n${await issuer.token(name)}\n`);
  return [
    `Callers        with a token of ${issuer.url}, each a tenant of their own; for an hour:`,
    '',
    ...(await Promise.all(tokens)),
    `Later ones: curl -s ${issuer.url}/token/${PEOPLE[0]}`,
  ].join('\n');
};

const banner = (
  mcpUrl: string,
  awsEndpoint: string,
  whoMayCall: string,
  dataDir?: string,
  issuer?: LocalIssuer,
): string => `
MCP endpoint   ${mcpUrl}
AWS endpoint   ${awsEndpoint}
Tables         ${dataDir ? `kept in ${dataDir}` : 'in memory'}; executions are in memory and end with this process
${whoMayCall}

Ask which tools there are:

${firstRequest(mcpUrl, issuer && `${issuer.url}/token/${PEOPLE[0]}`)}

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

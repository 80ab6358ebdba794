import { parseArgs } from 'node:util';

export interface StartOptions {
  port: number;
  dataDir?: string;
  /** Whether callers need a token of the local issuer. */
  auth: boolean;
}

export const USAGE = `npm start -- [--auth] [--data DIR]

Runs the app on this machine: no AWS account, no Docker.

  --auth       ask callers for a token, and run an issuer that makes them (on the port after)
  --data DIR   keep the tables in DIR between runs (executions are in memory and are not kept)
  --help       show this

  PORT         environment variable: the port to serve, 3000 by default`;

/** @throws a sentence for what it does not know */
export const parseStartOptions = (args: string[], env: { PORT?: string }): StartOptions | 'help' => {
  const { values } = parse(args);
  if (values.help) return 'help';
  if (values.data === '') throw new Error('--data needs a directory.');
  const { PORT: port = '3000' } = env;
  if (!/^\d+$/.test(port) || Number(port) > 65_535)
    throw new Error(`PORT must be a port number, not "${port}".`);
  return { port: Number(port), dataDir: values.data, auth: values.auth ?? false };
};

const parse = (args: string[]) => {
  try {
    return parseArgs({
      args,
      options: { auth: { type: 'boolean' }, data: { type: 'string' }, help: { type: 'boolean' } },
    });
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${USAGE}`, { cause: error });
  }
};

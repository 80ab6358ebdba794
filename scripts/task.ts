import { parseArgs } from 'node:util';
import { cancel } from './task/cancel.ts';
import { deploymentOf, type Deployment } from './task/deployment.ts';
import { history } from './task/history.ts';
import { listStuck } from './task/list-stuck.ts';
import { show } from './task/show.ts';

const USAGE = `npm run task -- COMMAND [taskId] [--stack NAME | --endpoint URL]

  show TASK       its record, its execution, and where to look
  history TASK    the states that it entered, and every error
  cancel TASK     stops it, as tasks/cancel does
  list-stuck      working tasks that wait for an answer, or have not moved for long; reads the whole table

  --stack NAME             the stack on AWS, McpTasks by default; AWS is found as any AWS SDK finds it
  --endpoint URL           \`npm start\`, or an emulator, instead: http://127.0.0.1:3000
  --older-than MINUTES     list-stuck: what counts as long, 60 by default`;

const commands: Record<string, (deployment: Deployment, taskId: string) => Promise<string[]>> = {
  show,
  history,
  cancel,
};

const main = async (): Promise<string[]> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      stack: { type: 'string' },
      endpoint: { type: 'string' },
      'older-than': { type: 'string', default: '60' },
      help: { type: 'boolean' },
    },
  });
  const [name = '', taskId] = positionals;
  const command = commands[name];
  const minutes = Number(values['older-than']);
  const makesSense = name === 'list-stuck' ? minutes >= 0 : command !== undefined && taskId !== undefined;
  if (values.help || !makesSense) throw new Error(USAGE);

  if (values.endpoint !== undefined) {
    // Whoever serves AWS on this machine wants some key, and does not care which.
    Object.assign(process.env, {
      AWS_ENDPOINT_URL: values.endpoint,
      AWS_REGION: process.env['AWS_REGION'] ?? 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    });
  }
  const isLocal = values.stack === undefined && process.env['AWS_ENDPOINT_URL'] !== undefined;
  const deployment = await deploymentOf(isLocal ? undefined : (values.stack ?? 'McpTasks'));
  return command ? command(deployment, taskId!) : listStuck(deployment, minutes);
};

process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
try {
  for (const line of await main()) console.log(line);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

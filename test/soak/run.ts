import { parseArgs } from 'node:util';
import { startEngine } from '../../local/engine.ts';
import { removeAssembly, synthesize } from '../../local/synth.ts';
import { accept, asks, isOver, openKeys, taskClient, type TaskClient } from '../faults/client.ts';

const USAGE = `npm run soak [-- --tasks 2000 --clients 20]

Creates, drives and checks so many tasks on the embedded engine, by so many clients at once: a third is answered, a
third cancelled, a third broken off. Fails if one is lost, stuck, or ends as it should not.`;

const { values: options } = parseArgs({
  options: {
    tasks: { type: 'string', default: '2000' },
    clients: { type: 'string', default: '20' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}

/** Ways a task goes, and how it must end. */
const lives = [
  {
    ends: 'completed',
    live: async (client: TaskClient, taskId: string, key: string) => {
      await client.update(taskId, { [key]: accept('complete') });
    },
  },
  { ends: 'cancelled', live: (client: TaskClient, taskId: string) => client.cancel(taskId) },
  {
    ends: 'failed',
    live: async (client: TaskClient, taskId: string, key: string) => {
      await client.update(taskId, { [key]: accept('broken') });
    },
  },
] as const;

const soak = async (): Promise<void> => {
  const total = Number(options.tasks);
  const assembly = await synthesize({ app: 'test/faults/app.ts' });
  const engine = await startEngine({ assembly });
  const client = taskClient(engine.mcpUrl);
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  const taken: { taskId: string; ms: number }[] = [];
  const started = Date.now();
  let next = 0;

  const one = async (index: number): Promise<void> => {
    const { live, ends } = lives[index % lives.length]!;
    const begun = Date.now();
    const { taskId } = await client.call(index % 2 === 0 ? 'drive' : 'cooperative');
    const [key] = openKeys(await client.until(taskId, asks, 60_000, 1_000));
    await live(client, taskId, key!);
    const over = await client.until(taskId, isOver, 60_000, 1_000);
    counts[over.status] = (counts[over.status] ?? 0) + 1;
    if (over.status !== ends) wrong.push(`${taskId} should be ${ends}: ${JSON.stringify(over)}`);
    taken.push({ taskId, ms: Date.now() - begun });
  };

  const worker = async (): Promise<void> => {
    for (let index = next++; index < total; index = next++) {
      await one(index).catch((error: unknown) => wrong.push(String(error)));
    }
  };

  try {
    await Promise.all(Array.from({ length: Number(options.clients) }, worker));
    taken.sort((a, b) => b.ms - a.ms);
    const seconds = (Date.now() - started) / 1_000;
    console.log(`${taken.length} of ${total} tasks in ${seconds.toFixed(1)} s: ${JSON.stringify(counts)}`);
    console.log(`median ${taken[Math.floor(taken.length / 2)]?.ms} ms; the slowest:`);
    for (const { taskId, ms } of taken.slice(0, 5)) console.log(`  ${taskId} ${ms} ms`);
    for (const problem of wrong.slice(0, 10)) console.error(problem);
    if (wrong.length > 0 || taken.length < total) {
      console.error(`${wrong.length} wrong, ${total - taken.length} lost or stuck`);
      process.exitCode = 1;
    }
  } finally {
    await engine.close();
    removeAssembly(assembly);
  }
};

process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
await soak();

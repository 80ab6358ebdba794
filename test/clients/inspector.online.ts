import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useEngine } from '../support/engine.ts';
import { LISTED_TOOLS } from '../support/listed-tools.ts';

/**
 * MCP Inspector's CLI, from npm and on a Node.js from npm, since it needs 22.19. Not part of `npm test`, which needs
 * no network: `npm run inspector`.
 */
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const NPX = ['--yes', '-p', 'node@24', '-p', INSPECTOR, '--', 'mcp-inspector', '--cli'];

type Failure = Error & { stdout: string; stderr: string };

const run = async (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)('npx', [...NPX, ...args], { maxBuffer: 16 * 1024 * 1024 }).catch(
    (error: Failure) => error,
  );

describe.each(['legacy', 'modern'])('MCP Inspector, %s', (era) => {
  const engine = useEngine();
  const inspect = (...args: string[]) =>
    run(engine.mcpUrl, '--transport', 'http', '--protocol-era', era, ...args);

  const callTool = async (name: string, ...args: string[]) => {
    const given = args.flatMap((arg) => ['--tool-arg', arg]);
    const { stdout, stderr } = await inspect('--method', 'tools/call', '--tool-name', name, ...given);
    if (!stdout.startsWith('{')) throw new Error(stderr);
    return JSON.parse(stdout);
  };

  beforeAll(async () => {
    const { stdout, stderr } = await run('--version');
    if (!/^\d+\.\d+/m.test(stdout)) throw new Error(`npm could not provide ${INSPECTOR}:\n${stderr}`);
  }, 300_000);

  test('lists the tools', async () => {
    const { stdout } = await inspect('--method', 'tools/list');
    const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(LISTED_TOOLS);
  }, 60_000);

  test('calls a synchronous tool', async () => {
    expect(await callTool('list_migrations')).toMatchObject({
      structuredContent: { migrations: expect.any(Array) },
    });
  }, 60_000);

  test('calls a task tool, and comes to its result', async () => {
    const started = await callTool('countdown', 'seconds=1');
    if (era === 'modern') {
      expect(started).toMatchObject({ content: [{ text: 'Lift-off after 1 seconds.' }] });
      return;
    }
    // A handle, from which a model goes on.
    const { taskId } = started.structuredContent;
    expect(await callTool('task_status', `taskId=${taskId}`, 'waitSeconds=20')).toMatchObject({
      structuredContent: { taskId, status: 'completed' },
      content: [{}, { text: 'Lift-off after 1 seconds.' }],
    });
  }, 60_000);
});

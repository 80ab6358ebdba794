import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useEngine } from '../support/engine.ts';

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

  beforeAll(async () => {
    const { stdout, stderr } = await run('--version');
    if (!/^\d+\.\d+/m.test(stdout)) throw new Error(`npm could not provide ${INSPECTOR}:\n${stderr}`);
  }, 300_000);

  test('lists the tools', async () => {
    const { stdout } = await inspect('--method', 'tools/list');
    const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['run_migration', 'list_migrations', 'countdown']);
  }, 60_000);

  test('calls a synchronous tool', async () => {
    const { stdout } = await inspect('--method', 'tools/call', '--tool-name', 'list_migrations');
    expect(JSON.parse(stdout)).toMatchObject({ structuredContent: { migrations: expect.any(Array) } });
  }, 60_000);

  test('calls a task tool: to its result, or told why it cannot', async () => {
    const { stdout, stderr } = await inspect(
      '--method',
      'tools/call',
      '--tool-name',
      'countdown',
      '--tool-arg',
      'seconds=1',
    );
    if (era === 'modern') {
      expect(JSON.parse(stdout)).toMatchObject({ content: [{ text: 'Lift-off after 1 seconds.' }] });
    } else {
      expect(stdout + stderr).toContain('countdown runs as a task');
    }
  }, 60_000);
});

import { expect, test } from '@jest/globals';
import { serve } from '../../support/mcp.ts';
import { tools } from '../../support/tools.ts';

test('server/discover declares the extension, without settings', async () => {
  const { status, body } = await serve().request('server/discover');

  expect(status).toBe(200);
  expect(body.result.capabilities.extensions).toEqual({ 'io.modelcontextprotocol/tasks': {} });
  expect(body.result.supportedVersions).toContain('2026-07-28');
});

test('nothing is announced that a buffering API could not deliver', async () => {
  const { body } = await serve().request('server/discover');

  expect(body.result.capabilities.tools).toEqual({ listChanged: false });
});

test('tools/list gives every tool in the order of the table, the same on each request and from each server', async () => {
  const server = serve();
  const lists = [
    await server.request('tools/list'),
    await server.request('tools/list', {}, { capabilities: {} }),
    await serve().request('tools/list'),
  ].map(({ body }) => body.result);

  expect(lists[0].tools.map(({ name }: { name: string }) => name)).toEqual(Object.keys(tools));
  expect(lists[0].resultType).toBe('complete');
  expect(lists[1]).toEqual(lists[0]);
  expect(lists[2]).toEqual(lists[0]);
});

test('a listed tool shows its schemas, and nothing of how it is run', async () => {
  const { body } = await serve().request('tools/list');
  const listed = Object.fromEntries(body.result.tools.map((tool: { name: string }) => [tool.name, tool]));

  expect(listed.build.inputSchema).toMatchObject({
    type: 'object',
    properties: { what: { type: 'string' } },
    required: ['what'],
  });
  expect(listed.add.outputSchema).toMatchObject({ type: 'object', required: ['sum'] });
  for (const internal of ['ttlMs', 'pollIntervalMs', 'asks', 'kind']) {
    expect(listed.build).not.toHaveProperty(internal);
  }
});

import assert from 'node:assert/strict';
import { newTaskId } from '../../lambdas/protocol/task.ts';
import type { Target } from '../scenarios/target.ts';
import { rpc } from '../support/tasks-client.ts';
import { reach } from './reach.ts';

type Headers = Record<string, string>;
/** RFC 9728, as far as it is looked at here. */
interface Metadata {
  resource: string;
  authorization_servers: string[];
}
type Tests = Record<string, () => Promise<void>>;

/** What a server says to those who may not call it. */
export const uninvited = ({ mcpUrl }: Target): Tests => ({
  async 'who has no token is told where to get one'() {
    for (const headers of [undefined, { Authorization: 'Bearer invented' }]) {
      const response = await fetch(mcpUrl, { method: 'POST', body: '{}', ...(headers && { headers }) });
      assert.equal(response.status, 401);
      const challenge = response.headers.get('www-authenticate') ?? '';
      const [, metadataUrl] = /^Bearer .*resource_metadata="([^"]+)"/.exec(challenge) ?? [];
      assert.ok(metadataUrl, `no metadata in the challenge: ${challenge}`);
      const metadata = (await (await fetch(reach(metadataUrl))).json()) as Metadata;
      assert.equal(reach(metadata.resource), mcpUrl);
      assert.equal(metadata.authorization_servers.length, 1);
    }
  },
});

/** Two callers who are different tenants. */
export const tenants = ({ mcpUrl, headers: owner }: Target, stranger: Headers): Tests => ({
  async 'a task of one tenant is unknown to another, and out of reach'() {
    const as = (headers: Headers | undefined, method: string, taskId: string, params: object = {}) =>
      rpc(mcpUrl, method, { taskId, ...params }, { headers });
    const call = { name: 'countdown', arguments: { seconds: 600 } };
    const { result } = await rpc(mcpUrl, 'tools/call', call, { headers: owner });
    const taskId = String(result?.['taskId']);

    for (const [method, params] of [
      ['tasks/get', {}],
      ['tasks/update', { inputResponses: {} }],
      ['tasks/cancel', {}],
    ] as const) {
      const never = newTaskId();
      const unknown = await as(stranger, method, never, params);
      const foreign = await as(stranger, method, taskId, params);
      assert.equal(foreign.error?.code, -32602, method);
      assert.equal(foreign.error.message, unknown.error?.message.replaceAll(never, taskId), method);
    }
    assert.equal((await as(owner, 'tasks/get', taskId)).result?.['status'], 'working');
    await as(owner, 'tasks/cancel', taskId);
    assert.equal((await as(owner, 'tasks/get', taskId)).result?.['status'], 'cancelled');
  },
});

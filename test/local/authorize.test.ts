import { expect, test } from '@jest/globals';
import { withEngine } from './fixture/engine.ts';

const bed = withEngine(
  {},
  {
    authorize: async ({ authorizationType }, event) =>
      event.headers.authorization
        ? { context: { tenant: 'acme', authorizationType } }
        : { deny: { statusCode: 401, body: '{"message":"Unauthorized"}' } },
  },
);
const call = (headers: Record<string, string>) => fetch(`${bed.engine.url}/echo`, { headers });

test('an authorizer can let a request through, with a context, or answer it', async () => {
  const allowed = await call({ authorization: 'Bearer x' });
  expect(await allowed.json()).toMatchObject({
    requestContext: { authorizer: { tenant: 'acme', authorizationType: 'NONE' } },
  });
  expect((await call({})).status).toBe(401);
});

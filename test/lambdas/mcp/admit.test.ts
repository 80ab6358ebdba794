import { expect, test } from '@jest/globals';
import { admitWith } from '../../../lambdas/mcp/admit.ts';
import { apiEvent } from '../../support/api-event.ts';

const admit = admitWith({ maxRequestBytes: 10 });

test('lets a request through that fits', () => {
  expect(admit(apiEvent({}, '1234567890'))).toBeUndefined();
});

test.each([
  ['text', '12345678901', false],
  ['characters of several bytes', '€€€€', false],
  ['base64', Buffer.alloc(12).toString('base64'), true],
])('413 for one that does not: %s', (_, body, isBase64Encoded) => {
  expect(admit(apiEvent({}, body, { isBase64Encoded }))?.status).toBe(413);
});

test('400 for a token in the URL', async () => {
  const event = apiEvent({}, '', { queryStringParameters: { access_token: 'x' } });

  expect(await admit(event)?.json()).toMatchObject({ error: 'invalid_request' });
});

test('400 for two tokens', () => {
  const event = apiEvent({}, '', { multiValueHeaders: { Authorization: ['Bearer a', 'Bearer b'] } });

  expect(admit(event)?.status).toBe(400);
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toRequest } from '../../../lambdas/mcp/http.ts';
import { apiEvent } from '../../support/api-event.ts';

describe('an event becomes a Request', () => {
  test('with the URL under which the client called, stage included', () => {
    const request = toRequest(apiEvent({}, '{}'));

    expect(request.method).toBe('POST');
    expect(request.url).toBe('https://abc123.execute-api.eu-central-1.amazonaws.com/prod/mcp');
  });

  test('with its headers, whatever their case', () => {
    const { headers } = toRequest(
      apiEvent({ 'MCP-PROTOCOL-VERSION': '2026-07-28', 'mcp-name': 'build' }, '{}'),
    );

    expect(headers.get('MCP-Protocol-Version')).toBe('2026-07-28');
    expect(headers.get('Mcp-Name')).toBe('build');
  });

  test('with repeated headers joined, not doubled by the single-value view of the same event', () => {
    const event = apiEvent({ Accept: 'text/event-stream' }, '{}', {
      multiValueHeaders: { Accept: ['application/json', 'text/event-stream'] },
    });

    expect(toRequest(event).headers.get('accept')).toBe('application/json, text/event-stream');
  });

  test('from either view of the headers alone', () => {
    const single = apiEvent({ Accept: 'application/json' }, '{}', { multiValueHeaders: {} });
    const multi = apiEvent({}, '{}', { multiValueHeaders: { Accept: ['application/json'] } });

    expect(toRequest(single).headers.get('accept')).toBe('application/json');
    expect(toRequest(multi).headers.get('accept')).toBe('application/json');
  });

  test('from an event whose headers are null, as the console’s test call sends it', () => {
    const event = { ...apiEvent({}, '{}'), headers: null, multiValueHeaders: null };

    expect([...toRequest(event as never).headers.keys()]).not.toContain('accept');
  });

  test('with any body, plain or in Base64', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        const encoded = apiEvent({}, Buffer.from(text).toString('base64'), { isBase64Encoded: true });
        expect(await toRequest(apiEvent({}, text)).text()).toBe(text);
        expect(await toRequest(encoded).text()).toBe(text);
      }),
    );
  });

  test('with an empty body if there is none', async () => {
    expect(await toRequest(apiEvent({}, null)).text()).toBe('');
  });

  test.each(['GET', 'HEAD'])('%s has no body', (httpMethod) => {
    expect(toRequest(apiEvent({}, null, { httpMethod })).body).toBeNull();
  });

  test('a header that HTTP cannot hold does not bring the endpoint down', () => {
    const request = toRequest(apiEvent({ 'Mcp-Name': '名前', Accept: 'application/json' }, '{}'));

    expect(request.headers.get('accept')).toBe('application/json');
    expect(request.headers.get('mcp-name')).not.toBe('build');
  });
});

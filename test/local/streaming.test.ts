import { expect, test } from '@jest/globals';
import { withEngine } from './fixture/engine.ts';
import { eventually } from './fixture/eventually.ts';

const bed = withEngine();
const open = (query: string, signal?: AbortSignal): Promise<Response> =>
  fetch(`${bed.engine.url}/stream?${query}`, { signal });

test('streams what the function writes, as it comes', async () => {
  const response = await open('pause=200');
  expect(response.status).toBe(201);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const arrivals: { text: string; at: number }[] = [];
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    arrivals.push({ text: new TextDecoder().decode(chunk), at: Date.now() });
  }
  const [first, second] = arrivals;
  expect([first?.text, second?.text]).toEqual(['data: first\n\n', 'data: second\n\n']);
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(100);
});

test('tells the function when the client has gone', async () => {
  const client = new AbortController();
  const response = await open('forever=1', client.signal);
  await response.body?.getReader().read();
  client.abort();
  await eventually(() => bed.log.includes('Stream: the client is gone'));
});

test('breaks a stream off that fails half way', async () => {
  const response = await open('throw=1');
  expect(response.status).toBe(201);
  await expect(response.text()).rejects.toThrow();
});

test('breaks a stream off that runs into the timeout of its function', async () => {
  const response = await open('pause=5000');
  await expect(response.text()).rejects.toThrow();
});

test('answers 502 to a stream without metadata', async () => {
  const response = await open('bare=1');
  expect([response.status, await response.json()]).toEqual([502, { message: 'Internal server error' }]);
});

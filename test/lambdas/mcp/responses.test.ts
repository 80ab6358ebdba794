import { Writable } from 'node:stream';
import { Logger } from '@aws-lambda-powertools/logger';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { buffered } from '../../../lambdas/mcp/buffered.ts';
import { streamed } from '../../../lambdas/mcp/streamed.ts';
import { apiEvent } from '../../support/api-event.ts';

const log = new Logger({ logLevel: 'SILENT' });
const context = { getRemainingTimeInMillis: () => 60_000 } as Context;
const event = apiEvent({ 'Content-Type': 'application/json' }, '{"hello":"✓"}');

describe('buffered', () => {
  test('status, headers and body, as API Gateway takes them', async () => {
    const fetch = async (request: Request) =>
      new Response(await request.text(), { status: 404, headers: { 'Content-Type': 'application/json' } });

    expect(await buffered(fetch, log)(event, context)).toEqual({
      statusCode: 404,
      headers: { 'content-type': 'application/json' },
      body: '{"hello":"✓"}',
    });
  });

  test('no body is an empty one', async () => {
    const answer = buffered(async () => new Response(null, { status: 202 }), log);

    expect(await answer(event, context)).toEqual({ statusCode: 202, headers: {}, body: '' });
  });
});

describe('streamed', () => {
  /** Stands for the Lambda runtime: remembers the prelude, and what is written when. */
  const runtime = () => {
    const written: string[] = [];
    const output = new Writable({
      write: (chunk, _, done) => {
        written.push(String(chunk));
        done();
      },
    });
    return { output, written };
  };
  let prelude: unknown;
  const platform = globalThis as { awslambda?: unknown };

  beforeAll(() => {
    platform.awslambda = {
      streamifyResponse: (handle: unknown) => handle,
      HttpResponseStream: {
        from: (output: Writable, given: unknown) => {
          prelude = given;
          return output;
        },
      },
    };
  });
  afterAll(() => {
    delete platform.awslambda;
  });

  const answer = (fetch: Parameters<typeof streamed>[0], output: Writable, over = context): Promise<void> =>
    (streamed(fetch, log) as unknown as (...args: unknown[]) => Promise<void>)(event, output, over);

  test('status and headers come first, then each chunk as it is written, then the end', async () => {
    const { output, written } = runtime();
    let chunks = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (chunks === 2) return controller.close();
        chunks += 1;
        controller.enqueue(Buffer.from(`data: ${chunks}\n\n`));
      },
    });
    await answer(
      async () => new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }),
      output,
    );

    expect(prelude).toEqual({ statusCode: 200, headers: { 'content-type': 'text/event-stream' } });
    expect(written.filter(Boolean)).toEqual(['data: 1\n\n', 'data: 2\n\n']);
    expect(output.writableEnded).toBe(true);
  });

  test('a response without a body ends too', async () => {
    const { output, written } = runtime();
    await answer(async () => new Response(null, { status: 202 }), output);

    expect(prelude).toEqual({ statusCode: 202, headers: {} });
    // On Lambda status and headers go out with a write, and with nothing else.
    expect(written).toEqual(['']);
    expect(output.writableEnded).toBe(true);
  });

  test('a client that goes away ends the work behind the body, and is no error', async () => {
    const { output } = runtime();
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(Buffer.from('data: x\n\n'));
        output.destroy(new Error('Connection reset'));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    await answer(async () => new Response(body), output);

    expect(cancelled).toBe(true);
  });

  test('the signal ends a stream before Lambda would', async () => {
    const { output } = runtime();
    let signal: AbortSignal | undefined;
    const short = { getRemainingTimeInMillis: () => 5_001 } as Context;
    await answer(
      async (_, call) => {
        signal = call?.signal;
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        return new Response(null, { status: 202 });
      },
      output,
      short,
    );

    expect(signal?.aborted).toBe(true);
  });
});

import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEvent, Context, Handler } from 'aws-lambda';
import type { McpFetch } from '../protocol/mcp-fetch.ts';
import type { Front } from './admit.ts';
import { correlate } from './correlate.ts';
import { headersFor, serve } from './http.ts';

/** What the Node.js runtime of Lambda puts into the global scope for response streaming. */
declare const awslambda: {
  streamifyResponse(
    handle: (event: APIGatewayProxyEvent, output: Writable, context: Context) => Promise<void>,
  ): Handler;
  HttpResponseStream: {
    from(output: Writable, prelude: { statusCode: number; headers: Record<string, string> }): Writable;
  };
};

/** Time to end a stream gracefully before Lambda ends it. */
const GRACE_MS = 5_000;

/** The endpoint behind an API that passes the response on as it is written (`responseTransferMode: STREAM`). */
export const streamed = (fetch: McpFetch, log: Logger, front?: Front): Handler =>
  awslambda.streamifyResponse(async (event, output, context) => {
    correlate(log, event, context);
    const ending = AbortSignal.timeout(Math.max(context.getRemainingTimeInMillis() - GRACE_MS, 0));
    const response =
      front?.admit(event) ??
      (await serve(fetch, event, { signal: ending, authInfo: front?.callerOf(event) }));
    const stream = awslambda.HttpResponseStream.from(output, {
      statusCode: response.status,
      headers: headersFor(response),
    });
    const body = response.body && Readable.fromWeb(response.body as never);
    // A client may be gone before anything listens; pipeline hears of that too, and here it is no error.
    stream.on('error', () => {});
    try {
      // Status and headers go out with the first write, and an empty body would never make one.
      stream.write('');
      if (body === null) stream.end();
      else await pipeline(body, stream);
    } catch (error) {
      // The client went away. That ends the work behind the body, which pipeline leaves alone if it could not begin.
      body?.destroy();
      log.info('Response was not read to its end', { error: error as Error });
    }
  });

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Reads a request's body. Undefined if it is above the limit: the rest is read all the same and thrown away, so that
 * the client comes to read the answer.
 */
export const readBody = async (request: IncomingMessage, limit: number): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  return size <= limit ? Buffer.concat(chunks) : undefined;
};

export type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** @throws a sentence if the port is taken */
export const listen = async (serve: Serve, port: number, host: string): Promise<Server> => {
  const server = createServer((request, response) => void serve(request, response));
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} is in use. Set PORT to another one.`, { cause: error });
  }
  return server;
};

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

export const closeServer = async (server: Server): Promise<void> => {
  const closed = once(server, 'close');
  server.close();
  // Also those that are busy: a stream would otherwise hold the engine open.
  server.closeAllConnections();
  await closed;
};

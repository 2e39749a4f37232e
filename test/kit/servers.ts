import { createServer as createHttpServer, Server as HttpServer, type RequestListener } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** Starts a server on a free port of loopback, which it returns. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return portOf(server);
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await closeServer(server);
  return port;
}

/** Closes a server with its connections. */
export function closeServer(server: Server): Promise<void> {
  if (server instanceof HttpServer || server instanceof HttpsServer) server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

export interface TestServer {
  readonly port: number;
  readonly url: string;
  /** Number of requests or connections received. */
  readonly hits: () => number;
  readonly close: () => Promise<void>;
}

export async function httpServer(listener: RequestListener): Promise<TestServer> {
  let hits = 0;
  const server = createHttpServer((request, response) => {
    hits += 1;
    listener(request, response);
  });
  const port = await listen(server);
  return { port, url: `http://127.0.0.1:${port}`, hits: () => hits, close: () => closeServer(server) };
}

/** A TCP server whose connections are handled by `onSocket`. */
export async function rawServer(onSocket: (socket: Socket) => void): Promise<TestServer> {
  const open = new Set<Socket>();
  let hits = 0;
  const server = createServer((socket) => {
    hits += 1;
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    onSocket(socket);
  });
  const port = await listen(server);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    hits: () => hits,
    close: () => {
      for (const socket of open) socket.destroy();
      return closeServer(server);
    },
  };
}

/** A server that answers every request with these bytes and then closes the connection. */
export function answering(...parts: readonly (string | Uint8Array)[]): Promise<TestServer> {
  return rawServer((socket) => {
    socket.once('data', () => {
      for (const part of parts) socket.write(part);
      socket.end();
    });
  });
}

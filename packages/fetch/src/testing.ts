/** Helpers of the fetcher's tests: servers on loopback, and a resolver and dialer with predefined results. */
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Dialer, dialTcp } from './dial.ts';
import { createPageFetcher, type PageFetcher, type PageFetcherOptions } from './page.ts';
import type { Resolver } from './resolver.ts';

export const PUBLIC_ADDRESS = '93.184.215.14';

export interface TestServer {
  readonly port: number;
  /** Number of requests or connections received. */
  readonly hits: () => number;
  readonly close: () => Promise<void>;
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
  const port = await listening(server);
  return { port, hits: () => hits, close: () => closing(server, open) };
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

export async function httpServer(listener: RequestListener): Promise<TestServer> {
  let hits = 0;
  const server = createHttpServer((request, response) => {
    hits += 1;
    listener(request, response);
  });
  const port = await listening(server);
  return {
    port,
    hits: () => hits,
    close: async () => {
      server.closeAllConnections();
      await closing(server, new Set());
    },
  };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function closing(server: Server, open: ReadonlySet<Socket>): Promise<void> {
  for (const socket of open) socket.destroy();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** A resolver with answers from a table: per name a list, one entry for each query; the last entry is repeated. */
export function resolverOf(table: Readonly<Record<string, readonly (readonly string[])[]>>): {
  readonly resolver: Resolver;
  readonly asked: string[];
} {
  const asked: string[] = [];
  const resolver: Resolver = {
    resolve: async (host) => {
      const answers = table[host];
      if (answers === undefined) return { kind: 'unknown' };
      const times = asked.filter((name) => name === host).length;
      asked.push(host);
      return { kind: 'addresses', addresses: answers[Math.min(times, answers.length - 1)] ?? [] };
    },
  };
  return { resolver, asked };
}

/** A dialer that replaces the public internet: connects to a local port and reports the requested address as the remote one. */
export function internetAt(port: number): Dialer {
  return (address) => {
    const socket = dialTcp('127.0.0.1', port);
    Object.defineProperty(socket, 'remoteAddress', { get: () => address });
    return socket;
  };
}

/** A fetcher that connects to a local port for `http://shop.example/`. */
export function fetcherAt(port: number, options: Partial<PageFetcherOptions> = {}): PageFetcher {
  return createPageFetcher({
    userAgent: 'Touchstone-test',
    connectTo: [{ host: 'shop.example', address: '127.0.0.1', toPort: port }],
    ...options,
  });
}

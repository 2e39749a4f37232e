import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two checks of a node. */
export const CHECK_EVERY = 250;
const CHECK_PATIENCE = 5_000;

interface Node {
  readonly port: number;
  isReady: boolean;
  /** Of clients. */
  readonly connections: Set<Socket>;
}

/** A TCP load balancer that gives connections to ready nodes in turn. It does not read, and repeats nothing. */
export interface Balancer {
  readonly url: string;
  add(port: number): void;
  /** Gives it no more connections; resolves when it has none. */
  remove(port: number): Promise<void>;
  /** Connections that no node took. */
  refused(): number;
  close(): Promise<void>;
}

export async function openBalancer(): Promise<Balancer> {
  const nodes = new Set<Node>();
  const sockets = new Set<Socket>();
  const stopped = new AbortController();
  let turn = 0;
  let refused = 0;
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (client) => {
    const ready = [...nodes].filter(({ isReady }) => isReady);
    const node = ready[turn++ % ready.length];
    client.on('error', () => {});
    if (node === undefined) {
      refused += 1;
      client.destroy();
      return;
    }
    node.connections.add(client);
    const upstream = connect({ host: '127.0.0.1', port: node.port, noDelay: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    upstream.once('connect', () => {
      client.pipe(upstream).pipe(client);
      client.resume();
    });
    upstream.once('error', (error) => {
      if ('syscall' in error && error.syscall === 'connect') refused += 1;
      client.destroy();
    });
    upstream.once('close', () => client.end());
    client.once('close', () => {
      upstream.destroy();
      node.connections.delete(client);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const watch = async (node: Node) => {
    while (nodes.has(node) && !stopped.signal.aborted) {
      const answer = await fetch(`http://127.0.0.1:${node.port}/readyz`, {
        signal: AbortSignal.timeout(CHECK_PATIENCE),
      }).catch(() => null);
      await answer?.body?.cancel();
      node.isReady = answer?.status === 200;
      await delay(CHECK_EVERY);
    }
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add(port) {
      const node = { port, isReady: false, connections: new Set<Socket>() };
      nodes.add(node);
      void watch(node);
    },
    async remove(port) {
      const node = [...nodes].find((each) => each.port === port);
      if (node === undefined) return;
      nodes.delete(node);
      while (node.connections.size > 0) await delay(20);
    },
    refused: () => refused,
    async close() {
      stopped.abort();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';

/** Every address of this machine to which a page fetch could be lured; two without IPv6. */
const ADDRESSES = ['127.0.0.1', '127.0.0.2', '::1'];
/** Other spellings of these addresses; the control connects to all of them. */
const SPELLINGS = [...ADDRESSES, '0.0.0.0', '::', '::ffff:127.0.0.1', '::ffff:7f00:2'];

/** Servers that must never be reached. */
export interface Canaries {
  /** The port on which all of them listen. */
  readonly port: number;
  /** Number of connections that they received. */
  seen(): number;
  /** Connects to them on purpose, by every spelling that this machine supports; these connections are not counted. */
  control(): Promise<number>;
  close(): Promise<void>;
}

export async function openCanaries(): Promise<Canaries> {
  let seen = 0;
  const listen = async (address: string, port: number): Promise<Server> => {
    const server = createServer((socket) => {
      seen += 1;
      socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>secret');
    });
    server.listen({ host: address, port, ipv6Only: true });
    await once(server, 'listening');
    return server;
  };
  const { servers, port } = await onOnePort(listen);
  return {
    port,
    seen: () => seen,
    async control() {
      const before = seen;
      for (const address of SPELLINGS) await knock(address, port);
      const found = seen - before;
      seen = before;
      return found;
    },
    async close() {
      for (const server of servers) server.close();
    },
  };
}

/** A port that is free on every address. */
async function onOnePort(listen: (address: string, port: number) => Promise<Server>) {
  for (;;) {
    const first = await listen(ADDRESSES[0] ?? '', 0);
    const at = first.address();
    const port = typeof at === 'object' && at !== null ? at.port : 0;
    const servers = [first];
    let taken = false;
    for (const address of ADDRESSES.slice(1)) {
      const server = await listen(address, port).catch((error: NodeJS.ErrnoException) => {
        taken ||= error.code === 'EADDRINUSE';
        return null;
      });
      if (server !== null) servers.push(server);
    }
    if (!taken) return { servers, port };
    for (const server of servers) server.close();
  }
}

function knock(address: string, port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, autoSelectFamily: false });
    socket.on('error', () => {}).on('close', () => resolve());
    socket.resume();
  });
}

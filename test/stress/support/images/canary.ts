import { createServer } from 'node:net';
import { listen, portOf } from '../../../kit/servers.ts';

/** A server that must not be contacted, with a count of connections. */
export async function openCanary() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await listen(server);
  return {
    url: `http://127.0.0.1:${portOf(server)}/manifest.c2pa`,
    /** Stops it; returns the number of connections. */
    stop(): number {
      server.close();
      return connections;
    },
  };
}

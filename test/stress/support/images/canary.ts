import { type AddressInfo, createServer } from 'node:net';

/** A server that must not be contacted, with a count of connections. */
export async function openCanary() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/manifest.c2pa`,
    /** Stops it; returns the number of connections. */
    stop(): number {
      server.close();
      return connections;
    },
  };
}

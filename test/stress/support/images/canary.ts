import { type AddressInfo, createServer } from 'node:net';

/** An address that nobody is to ask, and how many did. */
export async function openCanary() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/manifest.c2pa`,
    /** Ends it; how many connections were made to it. */
    stop(): number {
      server.close();
      return connections;
    },
  };
}

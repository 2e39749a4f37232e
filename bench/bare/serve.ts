import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Connections stay open as long as those of the service. */
const KEEP_ALIVE = 72_000;

/** Answers with `listener` alone, and tells who started the process where it listens. */
export function serveBare(listener: RequestListener): void {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE }, listener).listen(0, '127.0.0.1', () => {
    process.send?.((server.address() as AddressInfo).port);
  });
}

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Keep-alive timeout in milliseconds, the same as the service's. */
const KEEP_ALIVE = 72_000;

/** Serves requests with `listener` only, and reports its port to the process that started it. */
export function serveBare(listener: RequestListener): void {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE }, listener).listen(0, '127.0.0.1', () => {
    process.send?.((server.address() as AddressInfo).port);
  });
}

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { createClientErrors } from './client-error.ts';
import { DEFAULT_TIMEOUTS, type HttpTimeouts } from './http-timeouts.ts';
import { type LoadGauge, openLoadGauge } from './load-gauge.ts';
import { createRequestListener, type ListenerOptions } from './request-listener.ts';

export interface HttpServerOptions extends ListenerOptions {
  readonly timeouts?: HttpTimeouts | undefined;
  /** Decides which requests are refused under overload. Injected in tests. */
  readonly load?: LoadGauge;
}

export interface HttpServer {
  readonly server: Server;
  /** @returns its address, without a slash at the end */
  listen(options: ListenOptions): Promise<string>;
  /** From now on, each answer says that its connection closes. */
  endConnections(): void;
  /** The same, accepts no further connections, and returns when all are closed. */
  close(): Promise<void>;
}

/** Bytes of request line and headers. */
const MAX_HEADER_BYTES = 16 * 1024;

/** The HTTP server with its routes, without listening (tests inject requests). */
export function buildHttpServer(options: HttpServerOptions): HttpServer {
  const timeouts = options.timeouts ?? DEFAULT_TIMEOUTS;
  const load = options.load ?? openLoadGauge();
  const clientErrors = createClientErrors(options.baseUrl, { headersTimeout: timeouts.headers, load });
  let isEnding = false;
  const endConnections = () => {
    isEnding = true;
  };
  const listener = createRequestListener(options, { timeouts, load, isClosing: () => isEnding });
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      // still required, by requireHost, which answers with a problem document
      requireHostHeader: false,
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: Math.min(1000, timeouts.headers),
    },
    (request, response) => {
      clientErrors.note(request.socket, response);
      listener(request, response);
    },
  );
  server.setTimeout(timeouts.socketIdle);
  server.on('clientError', clientErrors.answer);
  clientErrors.watch(server);
  load.watch(server);
  return {
    server,
    async listen(where) {
      server.listen(where);
      await once(server, 'listening');
      const { address, family, port } = server.address() as AddressInfo;
      return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
    },
    endConnections,
    async close() {
      endConnections();
      // with an error if it does not listen
      await new Promise((resolve) => server.close(resolve));
      load.close();
    },
  };
}

import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import type { Credentials } from './authenticate.ts';
import { trustedProxies } from './client-address.ts';
import { createClientErrors } from './client-error.ts';
import type { LoadGauge } from './load-gauge.ts';
import { malformedAddressFault } from './malformed-address.ts';
import type { RequestIds } from './request-id.ts';
import type { Route } from './route.ts';
import { sendFault } from './send-fault.ts';
import { createPathIndex } from './unrouted.ts';

/** Milliseconds for slow or silent clients. Injected in tests. */
export interface HttpTimeouts {
  /** For the request line and headers. */
  readonly headers: number;
  /** For a JSON body as a whole. */
  readonly body: number;
  /** Between two bytes of a streamed body. */
  readonly streamIdle: number;
  /** For a whole request, including a streamed body. */
  readonly request: number;
  /** For an idle connection between two requests. */
  readonly keepAlive: number;
  /** Without activity on any connection, for example if a client does not read its answer. */
  readonly socketIdle: number;
}

export const DEFAULT_TIMEOUTS: HttpTimeouts = {
  headers: 10_000,
  body: 30_000,
  streamIdle: 30_000,
  request: 30 * 60_000,
  // longer than the usual 60 s of a load balancer, so that the load balancer closes connections
  keepAlive: 72_000,
  socketIdle: 120_000,
};

/** Bytes of request line and headers. */
const MAX_HEADER_BYTES = 16 * 1024;

export interface AppOptions extends Credentials {
  readonly routes: readonly Route[];
  readonly logger: Logger;
  /** Networks whose X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[];
}

/** The configured framework without routes. */
export function createApp(
  options: AppOptions,
  parts: { readonly timeouts: HttpTimeouts; readonly requestIdOf: RequestIds; readonly load: LoadGauge },
): FastifyInstance {
  const { timeouts, requestIdOf, load } = parts;
  const clientErrors = createClientErrors(options.baseUrl, { headersTimeout: timeouts.headers, load });
  const find = createPathIndex(options.routes);
  const app = fastify({
    loggerInstance: warningsOf(options.logger),
    // one line per request is written by finishRequest
    logController: new LogController({ disableRequestLogging: true }),
    // we validate by Zod; Fastify's own compilers would load Ajv, a tenth of the modules of a start
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // a child logger per request would take the largest part of a cached GET
    childLoggerFactory: (logger) => logger,
    genReqId: ({ headers }) => requestIdOf(headers),
    // while the server drains, requests on open connections are still served, with `Connection: close`
    return503OnClosing: false,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.keepAlive,
    connectionTimeout: timeouts.socketIdle,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      // still required, by requireHost, which answers with a problem document
      requireHostHeader: false,
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: Math.min(1000, timeouts.headers),
    },
    // the length of a parameter is checked by its schema, instead of a 404
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    clientErrorHandler: clientErrors.answer,
    trustProxy: trustedProxies(options.trustProxy, warnOnce(options.logger)),
    frameworkErrors: (error, given, givenReply) => {
      const request = given as FastifyRequest;
      const reply = givenReply as unknown as FastifyReply;
      const send = (fault: unknown) => sendFault(fault, request, reply, options);
      void malformedAddressFault(error, request, reply, { find, credentials: options }).then(send, send);
    },
  });
  clientErrors.watch(app.server);
  return app as unknown as FastifyInstance;
}

function noSchemas(): never {
  throw new Error('No route has a schema of Fastify.');
}

/** Fastify logs warnings only: the listening address is logged by us, once the whole service is ready. */
function warningsOf(logger: Logger): Logger {
  return logger.isLevelEnabled('info') ? logger.child({}, { level: 'warn' }) : logger;
}

function warnOnce(logger: Logger): (peer: string) => void {
  let warned = false;
  return (peer) => {
    if (warned) return;
    warned = true;
    logger.warn(
      { peer },
      'X-Forwarded-For from an address that TOUCHSTONE_TRUST_PROXY does not name is ignored (logged once)',
    );
  };
}

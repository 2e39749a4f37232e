import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { ServiceError } from '../errors.ts';
import { createBatchPermits } from '../limits/batch-permits.ts';
import type { RequestRecord } from '../metrics/request-durations.ts';
import type { Credentials } from './authenticate.ts';
import { trustedProxies } from './client-address.ts';
import { overloaded } from './client-deadline.ts';
import { createClientErrors } from './client-error.ts';
import { preflightHeaders } from './cors.ts';
import { answerFromMemory } from './fast-path.ts';
import type { IdempotencyStore } from './idempotency.ts';
import { type LoadGauge, openLoadGauge } from './load-gauge.ts';
import { malformedAddressFault } from './malformed-address.ts';
import { registerRoutes } from './register-routes.ts';
import { createRequestIds, type RequestIds } from './request-id.ts';
import { logRequest } from './request-log.ts';
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

export interface HttpServerOptions extends Credentials {
  readonly routes: readonly Route[];
  readonly logger: Logger;
  readonly idempotency: IdempotencyStore;
  /** Networks whose X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[];
  readonly onRequestDone?: (record: RequestRecord) => void;
  readonly timeouts?: HttpTimeouts | undefined;
  /** Decides which requests are refused under overload. Injected in tests. */
  readonly load?: LoadGauge;
  /** Processes that share the limits of this node. Default: 1. */
  readonly processes?: number | undefined;
}

/** Logged, never sent: the client left before its answer. */
const CLIENT_LEFT = 499;

/** The HTTP server with its routes, without listening (tests inject requests). */
export function buildHttpServer(options: HttpServerOptions): FastifyInstance {
  const timeouts = options.timeouts ?? DEFAULT_TIMEOUTS;
  const requestIdOf = createRequestIds();
  const load = options.load ?? openLoadGauge();
  const app = createApp(options, { timeouts, requestIdOf, load });
  load.watch(app.server);
  app.addHook('onClose', async () => load.close());
  app.addHook('onRequest', (request, reply, done) => {
    const isCounted = !isProbe(request);
    const isAdmitted = !isCounted || load.admit();
    // not onResponse, which does not run for a client that disconnects before its answer
    reply.raw.once('close', () => {
      if (isCounted && isAdmitted) load.done();
      finishRequest(request, reply, options);
    });
    if (isAdmitted) requireHost(request, done);
    else done(overloaded());
  });
  answerFaults(app, options);
  answerUnrouted(app, options.routes);
  registerRoutes(app, options.routes, {
    credentials: options,
    idempotency: options.idempotency,
    bodyTimeouts: { whole: timeouts.body, idle: timeouts.streamIdle, load },
    batchPermits: createBatchPermits(options.processes),
  });
  // the fast path writes no log lines
  if (!options.logger.isLevelEnabled('debug')) answerFromMemory(app, options, { requestIdOf, load });
  return app;
}

/** Operations such as health checks and metrics, which must be answered under load, too. */
function isProbe(request: FastifyRequest): boolean {
  return (request.routeOptions.config as { route?: Route }).route?.tag === 'Operations';
}

function createApp(
  options: HttpServerOptions,
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
      // required all the same, by requireHost, with an answer in our shape
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

/** RFC 9112 section 3.2: one Host, neither none nor two that a proxy might choose between. */
function requireHost(request: FastifyRequest, done: (error?: Error) => void): void {
  const { headers, httpVersion, rawHeaders } = request.raw;
  const names = rawHeaders.filter((name, i) => i % 2 === 0 && name.length === 4 && /^host$/i.test(name));
  if (headers.host === undefined && httpVersion !== '1.0') {
    done(new ServiceError('bad_request', { message: 'The request has no Host header.' }));
  } else if (names.length > 1) {
    done(new ServiceError('bad_request', { message: 'The request has several Host headers.' }));
  } else done();
}

function answerFaults(app: FastifyInstance, options: HttpServerOptions): void {
  app.setErrorHandler((error, request, reply) => sendFault(error, request, reply, options));
}

function answerUnrouted(app: FastifyInstance, routes: readonly Route[]): void {
  const find = createPathIndex(routes);
  app.setNotFoundHandler((request, reply) => {
    const known = find(request.raw.url ?? '');
    if (known === null) throw new ServiceError('route_unknown');
    if (request.method === 'OPTIONS') {
      reply.header('x-request-id', request.id);
      return reply.code(204).headers(preflightHeaders(known.operations, known.allow)).send();
    }
    reply.header('allow', known.allow);
    throw new ServiceError('method_not_allowed', { message: `This address answers ${known.allow}.` });
  });
}

function finishRequest(request: FastifyRequest, reply: FastifyReply, options: HttpServerOptions): void {
  const { route } = request.routeOptions.config as { route?: Route };
  const { elapsedTime } = reply;
  const status = reply.raw.writableEnded ? reply.statusCode : CLIENT_LEFT;
  options.onRequestDone?.({
    operation: route?.id ?? 'unrouted',
    method: request.method,
    status,
    seconds: elapsedTime / 1000,
  });
  logRequest(options.logger, route, {
    requestId: request.id,
    method: request.method,
    url: request.raw.url,
    status,
    milliseconds: elapsedTime,
    peer: request.socket.remoteAddress,
  });
}

/** Where it listens is told by ours, once, when all of the service is ready; nothing else that Fastify tells is of use. */
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

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { createBatchPermits } from '../limits/batch-permits.ts';
import type { RequestRecord } from '../metrics/request-durations.ts';
import { overloaded } from './client-deadline.ts';
import { preflightHeaders } from './cors.ts';
import { answerFromMemory } from './fast-path.ts';
import { type AppOptions, createApp, DEFAULT_TIMEOUTS, type HttpTimeouts } from './fastify-app.ts';
import type { IdempotencyStore } from './idempotency.ts';
import { type LoadGauge, openLoadGauge } from './load-gauge.ts';
import { registerRoutes } from './register-routes.ts';
import { createRequestIds } from './request-id.ts';
import { logRequest } from './request-log.ts';
import type { Route } from './route.ts';
import { sendFault } from './send-fault.ts';
import { createPathIndex } from './unrouted.ts';

export interface HttpServerOptions extends AppOptions {
  readonly idempotency: IdempotencyStore;
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
    throw new ServiceError('method_not_allowed', { message: `This address supports ${known.allow}.` });
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

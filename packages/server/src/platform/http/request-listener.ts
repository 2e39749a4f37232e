import type { IncomingMessage, RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { ServiceError } from '../errors.ts';
import { createBatchPermits } from '../limits/batch-permits.ts';
import type { RequestRecord } from '../metrics/request-durations.ts';
import type { SpanOptions, Tracing } from '../tracing/tracing.ts';
import { type AnswerContext, answer } from './answer.ts';
import type { Credentials } from './authenticate.ts';
import { trustedProxies } from './client-address.ts';
import { overloaded } from './client-deadline.ts';
import { faultReply } from './fault-reply.ts';
import type { HttpTimeouts } from './http-timeouts.ts';
import type { IdempotencyStore } from './idempotency.ts';
import type { LoadGauge } from './load-gauge.ts';
import { createRequestIds } from './request-id.ts';
import { logRequest } from './request-log.ts';
import type { PageOf, Reply, Route } from './route.ts';
import { createRouter, type Match } from './router.ts';
import { type Exchange, fixedHeaders, sendReply } from './send.ts';
import { findMalformed, isWellEncoded, malformedReply, unroutedReply } from './unrouted.ts';
import { wantsPage } from './wants-page.ts';

/** Logged, never sent: the client left before its answer. */
const CLIENT_LEFT = 499;

export interface ListenerOptions extends Credentials {
  readonly routes: readonly Route[];
  readonly logger: Logger;
  /** Networks whose X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[];
  readonly idempotency: IdempotencyStore;
  readonly tracing?: Tracing | undefined;
  readonly onRequestDone?: (record: RequestRecord) => void;
  /** Processes that share the limits of this node. Default: 1. */
  readonly processes?: number | undefined;
}

interface ListenerParts {
  readonly timeouts: HttpTimeouts;
  readonly load: LoadGauge;
  readonly isClosing: () => boolean;
}

/** A request that is being answered. */
interface Pending extends Exchange {
  readonly begun: number;
  readonly match: Match | null;
  readonly isWellEncoded: boolean;
  /** The page with which it is answered, for a person. */
  pageOf: PageOf | undefined;
  /** Whether it counts for the load; operations such as health checks must be answered under load, too. */
  isCounted: boolean;
  isFinished: boolean;
  /** Members of its log line that name its span. */
  ofSpan?: object;
}

/** Answers every request: admits it, finds its route, sends the reply, and tells metrics and log when it is done. */
export function createRequestListener(options: ListenerOptions, parts: ListenerParts): RequestListener {
  const { logger, baseUrl } = options;
  const { timeouts, load, isClosing } = parts;
  const router = createRouter(options.routes);
  const requestIdOf = createRequestIds();
  const context: AnswerContext = {
    credentials: options,
    idempotency: options.idempotency,
    bodyTimeouts: { whole: timeouts.body, idle: timeouts.streamIdle, load },
    batchPermits: createBatchPermits(options.processes),
    isTrusted: trustedProxies(options.trustProxy, warnOnce(logger)),
  };
  const { tracing } = options;

  const replyTo = (pending: Pending): Reply | Promise<Reply> => {
    if (pending.isCounted && !load.admit()) {
      pending.isCounted = false;
      throw overloaded();
    }
    requireHost(pending.request);
    const { match } = pending;
    if (!pending.isWellEncoded) return malformedReply(match, pending, options);
    if (match === null) return unroutedReply(router, pending, { baseUrl, logger });
    return answer(match, pending, context);
  };

  const spanOf = ({ request, requestId, match }: Pending): SpanOptions<Reply> => {
    const { method = '', headers, socket } = request;
    const { path = '', id = 'unrouted' } = match?.prepared.route ?? {};
    // a stranger must not decide what is traced
    const isTrusted =
      typeof headers.traceparent === 'string' && context.isTrusted(socket.remoteAddress ?? '', 1);
    return {
      name: `${method} ${path}`,
      kind: 'SERVER',
      attributes: {
        'http.request.method': method,
        'http.route': path,
        'touchstone.operation': id,
        'touchstone.request_id': requestId,
      },
      parent: isTrusted ? String(headers.traceparent) : undefined,
      attributesOf: ({ status }) => ({ 'http.response.status_code': status }),
    };
  };

  /** With a span that has the status of the answer, a fault's too. */
  const tracedReply = (pending: Pending, traces: Tracing): Promise<Reply> =>
    traces.inSpan(spanOf(pending), async () => {
      pending.ofSpan = traces.logMembers();
      try {
        return await replyTo(pending);
      } catch (error) {
        if (pending.response.destroyed && isOfLeaving(error)) throw error;
        return faultReply(error, pending.requestId, { baseUrl, logger });
      }
    });

  const finish = (pending: Pending) => {
    if (pending.isFinished) return;
    pending.isFinished = true;
    if (pending.isCounted) load.done();
    const { request, response, requestId, match, begun } = pending;
    const { method = '', url, socket } = request;
    const status = response.writableEnded ? response.statusCode : CLIENT_LEFT;
    const milliseconds = performance.now() - begun;
    const route = match?.prepared.route;
    options.onRequestDone?.({
      operation: route?.id ?? 'unrouted',
      method,
      status,
      seconds: milliseconds / 1000,
    });
    logRequest(logger, route, {
      requestId,
      method,
      url,
      status,
      milliseconds,
      peer: socket.remoteAddress,
      ofSpan: pending.ofSpan,
    });
  };

  const send = (pending: Pending, reply: Reply) => {
    const { request, response, match, pageOf } = pending;
    // the caller has disconnected
    if (response.destroyed) return;
    if (isClosing()) response.shouldKeepAlive = false;
    try {
      const shown =
        pageOf === undefined ? reply : pageOf(reply, { url: request.url ?? '', headers: request.headers });
      const sent = sendReply(pending, match?.prepared.fixed ?? UNROUTED, shown);
      if (sent === undefined) return finish(pending);
      finishLater(pending);
      sent.catch((error: unknown) => fail(pending, error));
    } catch (error) {
      // the page may be what failed, such as one that an older build does not have: its fault must not need it
      pending.pageOf = undefined;
      fail(pending, error);
    }
  };

  const finishLater = (pending: Pending) => {
    pending.response.once('close', () => finish(pending));
  };

  const fail = (pending: Pending, error: unknown) => {
    const { response, requestId } = pending;
    // the caller has disconnected, which is not a fault on our side
    if (response.destroyed && isOfLeaving(error)) return;
    const reply = faultReply(error, requestId, { baseUrl, logger });
    if (response.headersSent) response.destroy();
    else send(pending, reply);
  };

  return (request, response) => {
    const begun = performance.now();
    const { method = '', url = '', headers } = request;
    const found = router.find(method, url);
    const wellEncoded = found !== null || isWellEncoded(url);
    const match = wellEncoded ? found : findMalformed(router, method, url);
    const route = match?.prepared.route;
    const pageOf = route?.pageOf !== undefined && wantsPage(headers) ? route.pageOf : undefined;
    const pending: Pending = {
      request,
      response,
      requestId: requestIdOf(headers),
      begun,
      match: match === null || pageOf === undefined ? match : withoutLanguage(match),
      isWellEncoded: wellEncoded,
      pageOf,
      isCounted: route?.tag !== 'Operations',
      isFinished: false,
    };
    try {
      const reply = tracing === undefined ? replyTo(pending) : tracedReply(pending, tracing);
      if (!(reply instanceof Promise)) return send(pending, reply);
      finishLater(pending);
      reply.then(
        (settled) => send(pending, settled),
        (error: unknown) => fail(pending, error),
      );
    } catch (error) {
      fail(pending, error);
    }
  };
}

/** Headers of answers that no operation gives. */
const UNROUTED = fixedHeaders({});

/** The language concerns the page, not the operation. */
function withoutLanguage(match: Match): Match {
  const { lang: _, ...query } = match.query;
  return { ...match, query };
}

/** RFC 9112 section 3.2: one Host, neither none nor two that a proxy might choose between. */
function requireHost({ headers, httpVersion, rawHeaders }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion !== '1.0') {
    throw new ServiceError('bad_request', { message: 'The request has no Host header.' });
  }
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) throw new ServiceError('bad_request', { message: 'The request has several Host headers.' });
}

/** Whether an error is that of work, or of a stream, which ended because the caller left. */
function isOfLeaving(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE');
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

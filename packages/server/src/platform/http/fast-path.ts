import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { RequestRecord } from '../metrics/request-durations.ts';
import { callsAmong, type FastPathCall } from './fast-path-calls.ts';
import { documentsAmong } from './fast-path-documents.ts';
import type { LoadGauge } from './load-gauge.ts';
import type { RequestIds } from './request-id.ts';
import { logRequest } from './request-log.ts';
import type { Route } from './route.ts';

export interface FastPathOptions {
  readonly routes: readonly Route[];
  readonly logger: Logger;
  readonly onRequestDone?: (record: RequestRecord) => void;
}

type Next = () => void;

/**
 * Answers cached documents, and well-formed calls whose data are cached, before the framework, which would cost more than the answer
 * itself. Requests with anything unusual go through the framework. Answers are identical, byte for byte, to those of the framework
 * (`fast-path.test.ts`).
 */
export function answerFromMemory(
  app: FastifyInstance,
  { routes, logger, onRequestDone }: FastPathOptions,
  { requestIdOf, load }: { readonly requestIdOf: RequestIds; readonly load: LoadGauge },
): void {
  const documents = documentsAmong(routes);
  const calls = callsAmong(routes);
  let isClosing = false;
  // from then on the framework adds `Connection: close` to each answer
  app.addHook('preClose', async () => {
    isClosing = true;
  });

  const get = (request: IncomingMessage, response: ServerResponse): boolean => {
    const begun = performance.now();
    const operation = documents.answer(request, response, requestIdOf);
    if (operation === null) return false;
    const seconds = (performance.now() - begun) / 1000;
    onRequestDone?.({ operation, method: request.method as string, status: response.statusCode, seconds });
    return true;
  };

  const post = (request: IncomingMessage, response: ServerResponse, next: Next): void => {
    const call = calls.of(request);
    if (call === undefined) {
      next();
      return;
    }
    const begun = performance.now();
    // a body that arrived together with its head is readable by then
    process.nextTick(() => {
      if (!call.isWhole(request) || !load.admit()) return next();
      const answer = call.answer(request);
      load.done();
      if (answer === undefined) return next();
      const requestId = requestIdOf(request.headers);
      call.write(response, answer, requestId);
      finish(call, request, { requestId, begun });
    });
  };

  const finish = (
    { route }: FastPathCall,
    { method = '', url, socket }: IncomingMessage,
    { requestId, begun }: { readonly requestId: string; readonly begun: number },
  ) => {
    const milliseconds = performance.now() - begun;
    onRequestDone?.({ operation: route.id, method, status: 200, seconds: milliseconds / 1000 });
    logRequest(logger, route, {
      requestId,
      method,
      url,
      status: 200,
      milliseconds,
      peer: socket.remoteAddress,
    });
  };

  const isFor = (request: IncomingMessage) => !isClosing && isUsual(request);
  replaceHandler(app.server, {
    atOnce: (request, response) => request.method !== 'POST' && isFor(request) && get(request, response),
    inThisTurn: (request, response, next) => {
      if (request.method === 'POST' && isFor(request)) post(request, response, next);
      else next();
    },
  });
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface Handling {
  /** @returns whether it was answered; then no other listener sees it */
  readonly atOnce: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly inThisTurn: (request: IncomingMessage, response: ServerResponse, next: Next) => void;
}

/** Inserts `handling` before the framework's handler, the last listener. Other listeners get only requests not answered at once. */
function replaceHandler(server: Server, { atOnce, inThisTurn }: Handling): void {
  const watching = server.listeners('request') as Handler[];
  const usual = watching.pop() as Handler;
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (atOnce(request, response)) return;
    for (const listener of watching) listener.call(server, request, response);
    inThisTurn(request, response, () => usual.call(server, request, response));
  });
}

/** Exactly one Host, no Expect, no Upgrade, no Transfer-Encoding. */
function isUsual({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean {
  if (httpVersion !== '1.1' || headers.host === undefined || headers.expect !== undefined) return false;
  if (headers['transfer-encoding'] !== undefined || headers.upgrade !== undefined) return false;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1;
}

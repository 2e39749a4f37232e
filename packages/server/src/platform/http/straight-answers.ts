import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { RequestRecord } from '../metrics/metrics.ts';
import type { Route } from './route.ts';
import { fixedHeaders, isUnchangedBy, KEPT_IN_304, REQUEST_ID } from './send.ts';

/** A route whose documents may be at hand, cut at its one parameter. */
interface StraightRoute {
  readonly id: string;
  readonly before: string;
  readonly after: string;
  readonly fixed: readonly string[];
  readonly atHand: NonNullable<Route['atHand']>;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UUID_LENGTH = 36;

/**
 * Answers warm documents before the framework, which costs more than they do: plain GET and HEAD of an address with one
 * UUID and nothing unusual about the request. Everything else goes the usual way, and whatever is answered here is to the
 * byte what that way would have answered (`straight-answers.test.ts`).
 */
export function answerStraight(
  app: FastifyInstance,
  routes: readonly Route[],
  onRequestDone: ((record: RequestRecord) => void) | undefined,
): void {
  const straight = routes.flatMap(straightRoute);
  let isClosing = false;
  // the framework says on each answer that the connection will be closed
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  replaceHandler(app.server, (request, response, next) => {
    const begun = performance.now();
    const answered = isClosing || !isPlain(request) ? null : answer(request, response, straight);
    if (answered === null) return next();
    onRequestDone?.({
      operation: answered.operation,
      method: request.method as string,
      status: answered.code,
      seconds: (performance.now() - begun) / 1000,
    });
  });
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

function replaceHandler(
  server: Server,
  handle: (request: IncomingMessage, response: ServerResponse, next: () => void) => void,
): void {
  const usual = server.listeners('request') as Handler[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    handle(request, response, () => {
      for (const listener of usual) listener.call(server, request, response);
    });
  });
}

function straightRoute(route: Route): StraightRoute[] {
  const { id, method, path, atHand } = route;
  const [before = '', after, more] = path.split(/\{[^}]+\}/);
  if (atHand === undefined || method !== 'GET' || after === undefined || more !== undefined) return [];
  const fixed = Object.entries(fixedHeaders(route)).flat();
  return [{ id, before, after, fixed, atHand }];
}

/** One host, no body, no expectation: what a client sends that only wants the document. */
function isPlain({ method, httpVersion, headers, rawHeaders }: IncomingMessage): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || httpVersion !== '1.1' || headers.host === undefined)
    return false;
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false;
  if (headers.expect !== undefined || headers.upgrade !== undefined) return false;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1;
}

interface Answered {
  readonly operation: string;
  readonly code: 200 | 304;
}

/** @returns null where nothing is at hand, and nothing was written */
function answer(
  { url = '', method, headers }: IncomingMessage,
  response: ServerResponse,
  routes: readonly StraightRoute[],
): Answered | null {
  for (const { id, before, after, fixed, atHand } of routes) {
    if (url.length !== before.length + UUID_LENGTH + after.length) continue;
    if (!url.startsWith(before) || !url.endsWith(after)) continue;
    const subject = url.slice(before.length, before.length + UUID_LENGTH);
    const document = UUID.test(subject) ? atHand(subject.toLowerCase()) : undefined;
    if (document === undefined) return null;
    const given = headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    const isUnchanged = isUnchangedBy(headers['if-none-match'], document.etag);
    const lines = [...fixed, 'x-request-id', requestId];
    for (const name in document.headers) {
      if (!isUnchanged || KEPT_IN_304.has(name)) lines.push(name, document.headers[name] as string);
    }
    if (isUnchanged) {
      response.writeHead(304, lines).end();
      return { operation: id, code: 304 };
    }
    lines.push('content-length', String(document.body.byteLength));
    response.writeHead(200, lines).end(method === 'HEAD' ? undefined : document.body);
    return { operation: id, code: 200 };
  }
  return null;
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { RequestRecord } from '../metrics/request-durations.ts';
import type { RequestIds } from './request-id.ts';
import type { Route } from './route.ts';
import { fixedHeaders, isUnchangedBy } from './send.ts';

export interface StraightOptions {
  readonly routes: readonly Route[];
  readonly onRequestDone?: (record: RequestRecord) => void;
}

/** A route whose documents may be at hand, cut at its parameter where it has one. */
interface StraightRoute {
  readonly id: string;
  readonly before: string;
  readonly after: string;
  /** Where `after` begins in an address. */
  readonly afterAt: number;
  readonly fixed: readonly string[];
  readonly atHand: NonNullable<Route['atHand']>;
}

/** All parameters that routes are cut at are UUIDs. */
const UUID_LENGTH = 36;

/**
 * Answers warm documents before the framework, which costs more than they do: plain GET and HEAD of an address with
 * nothing unusual about the request. Everything else goes the usual way, and whatever is answered here is to the byte
 * what that way would have answered (`straight-answers.test.ts`).
 */
export function answerStraight(
  app: FastifyInstance,
  { routes, onRequestDone }: StraightOptions,
  requestIdOf: RequestIds,
): void {
  const straight = routes.flatMap(straightRoute);
  let isClosing = false;
  // the framework says on each answer that the connection will be closed
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  replaceHandler(app.server, (request, response, next) => {
    const begun = performance.now();
    const operation =
      isClosing || !isPlain(request) ? null : answer(request, response, straight, requestIdOf);
    if (operation === null) return next();
    onRequestDone?.({
      operation,
      method: request.method as string,
      status: response.statusCode,
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
  if (atHand === undefined || method !== 'GET' || more !== undefined) return [];
  const fixed = Object.entries(fixedHeaders(route)).flat();
  const afterAt = before.length + (after === undefined ? 0 : UUID_LENGTH);
  return [{ id, before, after: after ?? '', afterAt, fixed, atHand }];
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

/** @returns the operation that was answered; null where nothing is at hand, and nothing was written */
function answer(
  { url = '', method, headers }: IncomingMessage,
  response: ServerResponse,
  routes: readonly StraightRoute[],
  requestIdOf: RequestIds,
): string | null {
  for (const { id, before, after, afterAt, fixed, atHand } of routes) {
    if (!url.startsWith(before) || !url.startsWith(after, afterAt)) continue;
    // a document is at hand under its lower-case id, and under no other text
    const document = atHand(url.slice(before.length, afterAt), url.slice(afterAt + after.length));
    if (document === undefined) continue;
    const requestId = requestIdOf(headers);
    const { etag, whole, unchanged, body } = document;
    const isUnchanged = isUnchangedBy(headers['if-none-match'], etag);
    const lines = [...fixed, 'x-request-id', requestId, ...(isUnchanged ? unchanged : whole)];
    if (isUnchanged) {
      response.writeHead(304, lines).end();
      return id;
    }
    lines.push('content-length', String(body.byteLength));
    response.writeHead(200, lines).end(method === 'HEAD' ? undefined : body);
    return id;
  }
  return null;
}

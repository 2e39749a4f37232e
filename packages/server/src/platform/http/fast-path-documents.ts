import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CutPath, cutPath, isAt } from './fast-path-address.ts';
import { KEPT_IN_304, type RenderedDocument } from './rendered-document.ts';
import type { RequestIds } from './request-id.ts';
import type { PageOf, PageReply, Reply, Route } from './route.ts';
import { fixedHeaders, isUnchangedBy } from './send.ts';
import { wantsPage } from './wants-page.ts';

/** A route whose documents may be at hand. */
interface DocumentRoute {
  readonly id: string;
  readonly path: CutPath;
  readonly fixed: readonly string[];
  readonly pageOf: PageOf | undefined;
  readonly atHand: NonNullable<Route['atHand']>;
  /** Headers of pages that stay in memory, put together once. */
  readonly pageLines: WeakMap<PageReply, readonly string[]>;
}

export interface FastPathDocuments {
  /** @returns the operation that was answered; `null` where nothing is at hand, and nothing was written */
  answer(request: IncomingMessage, response: ServerResponse, requestIdOf: RequestIds): string | null;
}

/** Plain GET and HEAD of the documents of these routes. */
export function documentsAmong(all: readonly Route[]): FastPathDocuments {
  const routes = all.flatMap(documentRoute);
  const isPerson = rememberPersons();
  return {
    answer(request, response, requestIdOf) {
      const { url = '', method, headers } = request;
      if ((method !== 'GET' && method !== 'HEAD') || headers['content-length'] !== undefined) return null;
      for (const route of routes) {
        const { path } = route;
        if (!isAt(url, path)) continue;
        // a document is at hand under its lower-case id, and under no other text
        const pageOf = route.pageOf !== undefined && isPerson(headers) ? route.pageOf : undefined;
        const query = url.slice(path.length);
        const document = route.atHand(
          url.slice(path.before.length, path.afterAt),
          pageOf === undefined ? query : query.replace(LANGUAGE, ''),
        );
        if (document === undefined) continue;
        const requestId = requestIdOf(headers);
        if (pageOf === undefined) write(request, response, { route, document, requestId });
        else
          writePage(request, response, {
            route,
            reply: pageOf(replyOf(document), { url, headers }),
            requestId,
          });
        return route.id;
      }
      return null;
    },
  };
}

function documentRoute(route: Route): DocumentRoute[] {
  const { id, method, atHand } = route;
  const path = cutPath(route.path);
  if (atHand === undefined || method !== 'GET' || path === null) return [];
  const fixed = Object.entries(fixedHeaders(route)).flat();
  return [{ id, path, fixed, pageOf: route.pageOf, atHand, pageLines: new WeakMap() }];
}

/** Browsers have few ways to ask: each is read once. */
const REMEMBERED = 100;

function rememberPersons(): typeof wantsPage {
  const known = new Map<string, boolean>();
  return (headers) => {
    const { accept = '' } = headers;
    const before = known.get(accept);
    if (before !== undefined) return before;
    const isPerson = wantsPage(headers);
    if (known.size < REMEMBERED && accept.length < 300) known.set(accept, isPerson);
    return isPerson;
  };
}

/** A page may be asked for in a language, which is nothing to the document. */
const LANGUAGE = /^\?lang=[a-z]+$/i;

/** Its bytes are made only where they are read: a page that was made before needs none. */
function replyOf(document: RenderedDocument<unknown>): Reply {
  return {
    status: 200,
    headers: document.headers,
    get body() {
      return document.body;
    },
  };
}

interface FoundPage {
  readonly route: DocumentRoute;
  readonly reply: PageReply;
  readonly requestId: string;
}

function writePage(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  { route, reply, requestId }: FoundPage,
): void {
  const isUnchanged = isUnchangedBy(headers['if-none-match'], reply.headers.etag ?? '');
  if (isUnchanged) {
    const lines = linesOf(route.fixed, reply, (name) => KEPT_IN_304.has(name));
    response.writeHead(304, [...lines, 'x-request-id', requestId]).end();
    return;
  }
  const { byteText } = reply;
  let lines = route.pageLines.get(reply);
  if (lines === undefined) {
    lines = [...linesOf(route.fixed, reply, () => true), 'content-length', String(byteText.length)];
    route.pageLines.set(reply, lines);
  }
  response
    .writeHead(200, [...lines, 'x-request-id', requestId])
    .end(method === 'HEAD' ? undefined : byteText, 'latin1');
}

/** What the page says itself stands for what is said of every answer. */
function linesOf(
  fixed: readonly string[],
  { headers: own }: PageReply,
  isTold: (name: string) => boolean,
): string[] {
  const lines: string[] = [];
  for (let index = 0; index < fixed.length; index += 2) {
    const name = fixed[index] as string;
    if (!(name in own)) lines.push(name, fixed[index + 1] as string);
  }
  for (const name in own) if (isTold(name)) lines.push(name, own[name] as string);
  return lines;
}

interface Found {
  readonly route: DocumentRoute;
  readonly document: RenderedDocument<unknown>;
  readonly requestId: string;
}

function write(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  { route: { fixed }, document, requestId }: Found,
): void {
  const { headers: own, byteText } = document;
  const isUnchanged = isUnchangedBy(headers['if-none-match'], document.etag);
  const lines = [...fixed, 'x-request-id', requestId];
  for (const name in own) {
    if (!isUnchanged || KEPT_IN_304.has(name)) lines.push(name, own[name] as string);
  }
  if (isUnchanged) {
    response.writeHead(304, lines).end();
    return;
  }
  lines.push('content-length', String(byteText.length));
  response.writeHead(200, lines).end(method === 'HEAD' ? undefined : byteText, 'latin1');
}

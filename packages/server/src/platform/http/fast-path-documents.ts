import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CutPath, cutPath, isAt } from './fast-path-address.ts';
import { KEPT_IN_304, type RenderedDocument } from './rendered-document.ts';
import type { RequestIds } from './request-id.ts';
import type { PageOf, PageReply, Reply, Route } from './route.ts';
import { fixedHeaders, isUnchangedBy } from './send.ts';
import { wantsPage } from './wants-page.ts';

/** A route whose documents may be cached. */
interface DocumentRoute {
  readonly id: string;
  readonly path: CutPath;
  readonly fixed: readonly string[];
  readonly pageOf: PageOf | undefined;
  readonly cachedDocument: NonNullable<Route['cachedDocument']>;
  /** Headers of cached pages, assembled once. */
  readonly pageLines: WeakMap<PageReply, readonly string[]>;
}

export interface FastPathDocuments {
  /** @returns the operation that was answered; `null` where nothing was cached, and nothing was written */
  answer(request: IncomingMessage, response: ServerResponse, requestIdOf: RequestIds): string | null;
}

/** Answers plain GET and HEAD requests for the documents of these routes. */
export function documentsAmong(all: readonly Route[]): FastPathDocuments {
  const routes = all.flatMap(documentRoute);
  const isPerson = rememberAccept();
  return {
    answer(request, response, requestIdOf) {
      const { url = '', method, headers } = request;
      if ((method !== 'GET' && method !== 'HEAD') || headers['content-length'] !== undefined) return null;
      for (const route of routes) {
        const { path } = route;
        if (!isAt(url, path)) continue;
        // documents are cached under their lower-case id only
        const pageOf = route.pageOf !== undefined && isPerson(headers) ? route.pageOf : undefined;
        const query = url.slice(path.length);
        const document = route.cachedDocument(
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
  const { id, method, cachedDocument } = route;
  const path = cutPath(route.path);
  if (cachedDocument === undefined || method !== 'GET' || path === null) return [];
  const fixed = Object.entries(fixedHeaders(route)).flat();
  return [{ id, path, fixed, pageOf: route.pageOf, cachedDocument, pageLines: new WeakMap() }];
}

/** Browsers send few different `Accept` headers: each is parsed once. */
const REMEMBERED = 100;

function rememberAccept(): typeof wantsPage {
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

/** The language of a page does not concern the document. */
const LANGUAGE = /^\?lang=[a-z]+$/i;

/** The body is encoded only when it is read: a cached page does not need it. */
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

/** A page's own headers replace those of every answer. */
function linesOf(
  fixed: readonly string[],
  { headers: own }: PageReply,
  isSent: (name: string) => boolean,
): string[] {
  const lines: string[] = [];
  for (let index = 0; index < fixed.length; index += 2) {
    const name = fixed[index] as string;
    if (!(name in own)) lines.push(name, fixed[index + 1] as string);
  }
  for (const name in own) if (isSent(name)) lines.push(name, own[name] as string);
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

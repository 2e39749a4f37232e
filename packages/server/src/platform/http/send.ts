import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Operation } from '@touchstone/contract';
import fresh from 'fresh';
import { crossOriginHeaders } from './cors.ts';
import { ByteText, KEPT_IN_304 } from './rendered-document.ts';
import { discardUnreadBody } from './request-body.ts';
import type { Reply } from './route.ts';

/** A request with the response that is owed to it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
}

type Headers = Readonly<Record<string, string>>;

/** Headers of every answer of an operation. */
export function fixedHeaders(operation: Pick<Operation, 'anyOrigin' | 'page'> & Partial<Operation>): Headers {
  const isNegotiated = operation.page === true || operation.replies?.[200]?.alsoAs !== undefined;
  const vary: Headers = isNegotiated ? { vary: 'Accept' } : {};
  return { ...crossOriginHeaders(operation), 'x-content-type-options': 'nosniff', ...vary };
}

/**
 * Sends a reply; one to a conditional GET of an unchanged document becomes a 304.
 *
 * @param fixed - headers that those of the reply replace
 * @returns a promise if the body is a stream; it is rejected if the stream fails, before its first part with nothing sent
 */
export function sendReply(exchange: Exchange, fixed: Headers, reply: Reply): void | Promise<void> {
  const { request, response } = exchange;
  const { status, headers = {}, body } = reply;
  discardUnreadBody(request, response);
  if (isUnchanged(request, status, headers.etag)) {
    response.writeHead(304, linesOf(exchange, fixed, headers, KEPT_IN_304)).end();
    return undefined;
  }
  const lines = linesOf(exchange, fixed, headers);
  const isHead = request.method === 'HEAD';
  if (body instanceof ByteText) {
    lines.push('content-length', String(body.latin1.length));
    response.writeHead(status, lines).end(isHead ? undefined : body.latin1, 'latin1');
    return undefined;
  }
  if (isAsyncIterable(body)) {
    if (!isHead) return sendStream(response, { status, lines }, body);
    response.writeHead(status, lines).end();
    return undefined;
  }
  const isOurs = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  if (!isOurs && headers['content-type'] === undefined) lines.push('content-type', 'application/json');
  const content = isOurs ? body : JSON.stringify(body);
  const length = Buffer.byteLength(content ?? '');
  if (status !== 204) lines.push('content-length', String(length));
  // pure ASCII needs no encoding
  response
    .writeHead(status, lines)
    .end(isHead ? undefined : content, length === content?.length ? 'latin1' : 'utf8');
  return undefined;
}

/** Names and values by turns, the form that takes Node's server the least time. */
function linesOf(
  { requestId }: Exchange,
  fixed: Headers,
  headers: Headers,
  kept?: ReadonlySet<string>,
): string[] {
  const lines = ['x-request-id', requestId];
  for (const name in fixed) {
    if (headers[name] === undefined) lines.push(name, fixed[name] as string);
  }
  for (const name in headers) {
    if (kept === undefined || kept.has(name)) lines.push(name, headers[name] as string);
  }
  return lines;
}

/** Only the first part decides whether the stream has failed before anything was sent. */
async function sendStream(
  response: ServerResponse,
  { status, lines }: { readonly status: number; readonly lines: string[] },
  body: AsyncIterable<Uint8Array | string>,
): Promise<void> {
  const parts = body[Symbol.asyncIterator]();
  let next = await parts.next();
  response.writeHead(status, lines);
  const rest = async function* () {
    try {
      for (; next.done !== true; next = await parts.next()) yield next.value;
    } finally {
      if (next.done !== true) await parts.return?.();
    }
  };
  await pipeline(Readable.from(rest(), { objectMode: false }), response);
}

function isUnchanged(
  { method, headers }: IncomingMessage,
  status: number,
  etag: string | undefined,
): boolean {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch === undefined || etag === undefined || status !== 200) return false;
  if (method !== 'GET' && method !== 'HEAD') return false;
  // by this header alone (RFC 9110 section 13.1.2): `fresh` would take no-cache, which is for caches, as a wish for the whole body
  return ifNoneMatch === etag || fresh({ 'if-none-match': ifNoneMatch }, { etag });
}

function isAsyncIterable(body: unknown): body is AsyncIterable<Uint8Array | string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

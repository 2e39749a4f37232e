import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';
import { crossOriginHeaders } from './cors.ts';
import { KEPT_IN_304 } from './rendered-document.ts';
import type { Reply, Route } from './route.ts';

/** Headers of every answer of a route. */
export function fixedHeaders(route: Pick<Route, 'anyOrigin' | 'page'>): Record<string, string> {
  const vary: Record<string, string> = route.page === true ? { vary: 'Accept' } : {};
  return { ...crossOriginHeaders(route), 'x-content-type-options': 'nosniff', ...vary };
}

/** Sends a handler's reply; a conditional GET of an unchanged document becomes a 304. */
export function sendReply(request: FastifyRequest, reply: FastifyReply, result: Reply): FastifyReply {
  const headers = lowerCaseNames(result.headers ?? {});
  if (isUnchanged(request, result.status, headers.etag)) {
    return sendNotModified(reply, headers);
  }
  reply.code(result.status).headers(headers);
  const { body } = result;
  if (body === undefined) return reply.send();
  if (body instanceof Uint8Array) return reply.send(asBuffer(body));
  // as bytes, since fastify would add a charset to a media type without one
  if (typeof body === 'string') return reply.send(Buffer.from(body));
  // the framework would read the whole stream and discard it
  if (isAsyncIterable(body)) {
    const sent = request.method === 'HEAD' ? [] : body;
    return reply.send(Readable.from(sent, { objectMode: false }));
  }
  if (headers['content-type'] === undefined) reply.header('content-type', 'application/json');
  return reply.send(Buffer.from(JSON.stringify(body)));
}

function isUnchanged({ method, headers }: FastifyRequest, status: number, etag: string | undefined): boolean {
  if (etag === undefined || status !== 200) return false;
  return (method === 'GET' || method === 'HEAD') && isUnchangedBy(headers['if-none-match'], etag);
}

/** Whether the caller already has this document, by `If-None-Match` (RFC 9110, section 13.1.2). */
export function isUnchangedBy(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  // by this header alone: `fresh` would take a request's no-cache, which is for caches, as a wish for the whole body
  return fresh({ 'if-none-match': ifNoneMatch }, { etag });
}

/** Bypasses the framework, which would send the length 0 for a HEAD request (RFC 9110, section 8.6). */
function sendNotModified(reply: FastifyReply, headers: Readonly<Record<string, string>>): FastifyReply {
  reply.code(304).headers(notModifiedHeaders(headers)).hijack();
  reply.raw.writeHead(304, reply.getHeaders() as OutgoingHttpHeaders).end();
  return reply;
}

function notModifiedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT_IN_304.has(name)));
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function isAsyncIterable(body: unknown): body is AsyncIterable<Uint8Array | string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  const out: Record<string, string> = {};
  for (const name in headers) out[name.toLowerCase()] = headers[name] as string;
  return out;
}

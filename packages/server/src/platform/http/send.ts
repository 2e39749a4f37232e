import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';
import type { Reply } from './route.ts';

/** Writes a handler's reply out; a GET that the caller already has becomes a 304. */
export function sendReply(request: FastifyRequest, reply: FastifyReply, result: Reply): FastifyReply {
  const headers = lowerCaseNames(result.headers ?? {});
  if (isUnchanged(request, result.status, headers.etag)) {
    return reply.code(304).headers(notModifiedHeaders(headers)).send();
  }
  reply.code(result.status).headers(headers);
  const { body } = result;
  if (body === undefined) return reply.send();
  if (body instanceof Uint8Array) return reply.send(asBuffer(body));
  // as bytes, since fastify would write a charset behind a media type that has none
  if (typeof body === 'string') return reply.send(Buffer.from(body));
  // the framework would read a whole stream to throw it away
  if (isAsyncIterable(body)) {
    const sent = request.method === 'HEAD' ? [] : body;
    return reply.send(Readable.from(sent, { objectMode: false }));
  }
  if (headers['content-type'] === undefined) reply.header('content-type', 'application/json');
  return reply.send(Buffer.from(JSON.stringify(body)));
}

function isUnchanged({ method, headers }: FastifyRequest, status: number, etag: string | undefined): boolean {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch === undefined || etag === undefined || status !== 200) return false;
  // by this header alone: `fresh` would take a request's no-cache, which is for caches, as a wish for the whole body
  return (method === 'GET' || method === 'HEAD') && fresh({ 'if-none-match': ifNoneMatch }, { etag });
}

/** Headers of a 200 that its 304 repeats (RFC 9110 section 15.4.5), and the cache tag beside them. */
const KEPT_IN_304 = new Set([
  'etag',
  'cache-control',
  'vary',
  'expires',
  'date',
  'content-location',
  'surrogate-key',
]);

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

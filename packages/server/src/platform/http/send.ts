import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesEtag, notModifiedHeaders } from './conditional.ts';
import type { Reply } from './operation.ts';

/** Writes a handler's reply out; a GET that the caller already has becomes a 304. */
export function sendReply(request: FastifyRequest, reply: FastifyReply, result: Reply): FastifyReply {
  const headers = lowerCaseNames(result.headers ?? {});
  const ifNoneMatch = request.headers['if-none-match'];
  if (
    ifNoneMatch !== undefined &&
    headers.etag !== undefined &&
    result.status === 200 &&
    isRead(request.method)
  ) {
    if (matchesEtag(ifNoneMatch, headers.etag))
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

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
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

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from '@touchstone/contract';
import { ServiceError } from '../errors.ts';
import { startDeadline } from './client-deadline.ts';
import type { LoadGauge } from './load-gauge.ts';
import { utf8MediaType } from './media-type.ts';
import { type JsonBody, parseJsonBody } from './validation/json-body.ts';
import { hasMoreValues } from './validation/json-values.ts';

/** Maximum bytes of a JSON body, unless the operation sets another limit. */
export const DEFAULT_BODY_LIMIT = 1024 * 1024;

/** Values of a JSON body that is larger than that; smaller ones are parsed soon enough whatever they contain. */
const MAX_VALUES = 250_000;

/** Milliseconds for which a client may continue to send a body that is not read. */
const LINGER = 5_000;

export interface BodyTimeouts {
  /** Measures how much of a wait was caused by this process. */
  readonly load: Pick<LoadGauge, 'lateSince'>;
  /** Milliseconds for a whole JSON body. */
  readonly whole: number;
  /** Milliseconds without a byte of a streamed body. */
  readonly idle: number;
}

/** The body of a request: none, complete JSON, or a stream that the handler reads. */
export type ReceivedBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly json: JsonBody; readonly bytes: Uint8Array }
  | { readonly kind: 'stream'; readonly stream: AsyncIterable<Uint8Array> };

type BodyRules = Pick<Operation, 'body' | 'bodyLimit' | 'acceptsNdjson' | 'rawBody'>;

/**
 * Reads the body that an operation expects.
 *
 * @throws ServiceError 415 for its type, 413 for its size, 408 if the client was too slow, 503 if this process was
 */
export function receiveBody(
  request: IncomingMessage,
  operation: BodyRules,
  timeouts: BodyTimeouts,
): ReceivedBody | Promise<ReceivedBody> {
  if (operation.rawBody === true) return { kind: 'stream', stream: streamBody(request, timeouts) };
  if (operation.body === undefined && operation.acceptsNdjson !== true) return { kind: 'none' };
  const type = mediaTypeOf(request, operation);
  if (type === null) return { kind: 'none' };
  if (type === 'application/x-ndjson') return { kind: 'stream', stream: streamBody(request, timeouts) };
  return readJson(request, operation.bodyLimit ?? DEFAULT_BODY_LIMIT, timeouts);
}

async function readJson(
  request: IncomingMessage,
  limit: number,
  timeouts: BodyTimeouts,
): Promise<ReceivedBody> {
  const bytes = await readWhole(request, limit, timeouts);
  // clients may state a type without sending a body; an empty body counts as none
  if (bytes.byteLength === 0) return { kind: 'none' };
  if (bytes.byteLength > DEFAULT_BODY_LIMIT && hasMoreValues(bytes, MAX_VALUES)) {
    const message = `The body has more than ${MAX_VALUES.toLocaleString('en')} values: divide it into several calls.`;
    throw new ServiceError('body_too_large', { message });
  }
  return { kind: 'json', json: parseJsonBody(bytes), bytes };
}

/**
 * Discards the rest of a body for a short time after an answer that was sent before it was read. Closing a connection with
 * unread bytes resets it, and the reset could overtake the answer.
 */
export function discardUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  if (!hasUnreadBody(request)) return;
  response.once('finish', () => {
    const timer = setTimeout(() => request.destroy(), LINGER);
    request.once('close', () => clearTimeout(timer)).resume();
  });
}

function hasUnreadBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return false;
  return !request.complete || request.readableLength > 0;
}

/** The media type, or null if there is no body; throws for a type that the operation does not accept. */
function mediaTypeOf(request: IncomingMessage, { acceptsNdjson }: BodyRules): string | null {
  const header = request.headers['content-type'];
  if (header === undefined && !hasUnreadBody(request)) return null;
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type', { message: 'A request body may not be compressed.' });
  }
  const type = header === undefined ? null : utf8MediaType(header);
  const taken = ['application/json', ...(acceptsNdjson === true ? ['application/x-ndjson'] : [])];
  if (type !== null && taken.includes(type)) return type;
  throw new ServiceError('unsupported_media_type', {
    message: `The body must be sent as ${taken.join(' or ')}, in UTF-8.`,
  });
}

async function readWhole(
  request: IncomingMessage,
  limit: number,
  timeouts: BodyTimeouts,
): Promise<Uint8Array> {
  const stated = Number(request.headers['content-length'] ?? 0);
  if (stated > limit) throw tooLarge(limit);
  // a body that arrived together with its head is there by then, and is read in one piece; a tick earlier, the parser has not yet
  // reported the end of the message, so that the answer would wait for the rest of a body
  await new Promise<void>((resolve) => setImmediate(resolve));
  if (stated > 0 && request.readableLength === stated) return request.read() as Buffer;
  return readParts(request, limit, timeouts);
}

function readParts(
  request: IncomingMessage,
  limit: number,
  { whole, load }: BodyTimeouts,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const endWait = startDeadline({
      milliseconds: whole,
      load,
      onOver: (fault) => settle(() => reject(fault)),
    });
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) settle(() => reject(tooLarge(limit)));
      else chunks.push(chunk);
    };
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks, length)));
    const onGone = () => settle(() => reject(clientGone()));
    const settle = (then: () => void) => {
      endWait();
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      request.pause();
      then();
    };
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

async function* streamBody(request: IncomingMessage, timeouts: BodyTimeouts): AsyncGenerator<Uint8Array> {
  // the connection must outlive an early end of the loop: the answer still goes out on it
  const chunks = request.iterator({ destroyOnReturn: false });
  try {
    while (true) {
      const chunk = await inTime(chunks.next(), timeouts);
      if (chunk.done === true) break;
      yield chunk.value as Uint8Array;
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : clientGone();
  }
  if (request.complete === false) throw clientGone();
}

async function inTime<T>(promise: Promise<T>, { idle, load }: BodyTimeouts): Promise<T> {
  let endWait = () => {};
  const late = new Promise<never>((_, reject) => {
    endWait = startDeadline({ milliseconds: idle, load, onOver: reject });
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    endWait();
  }
}

/** @throws ServiceError body_too_large */
export function assertSize(bytes: number, limit: number): void {
  if (bytes > limit) throw tooLarge(limit);
}

function tooLarge(limit: number): ServiceError {
  return new ServiceError('body_too_large', { message: `The body exceeds ${limit} bytes.` });
}

function clientGone(): ServiceError {
  return new ServiceError('bad_request', { message: 'The connection ended before the body did.' });
}

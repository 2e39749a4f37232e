import type { IncomingMessage } from 'node:http';
import type { Operation } from '@touchstone/contract';
import { ServiceError } from '../errors.ts';
import { GrowingBuffer } from './growing-buffer.ts';
import { isUtf8, parseMediaType } from './media-type.ts';
import { type JsonBody, parseJsonBody } from './validation/json-body.ts';

/** Bytes; decision 13. */
export const DEFAULT_BODY_LIMIT = 1024 * 1024;

export interface BodyTimeouts {
  /** Milliseconds for a whole JSON body. */
  readonly whole: number;
  /** Milliseconds without a byte of a streamed body. */
  readonly idle: number;
}

/** What came as the body: nothing, JSON that was read whole, or a stream that the handler reads. */
export type ReceivedBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly json: JsonBody; readonly bytes: Uint8Array }
  | { readonly kind: 'stream'; readonly stream: AsyncIterable<Uint8Array> };

/** Reads the body that `row` allows; throws ServiceError for type (415), size (413) and slowness (408). */
export async function receiveBody(
  request: IncomingMessage,
  row: Pick<Operation, 'body' | 'bodyLimit' | 'acceptsNdjson'>,
  timeouts: BodyTimeouts,
): Promise<ReceivedBody> {
  if (row.body === undefined && row.acceptsNdjson !== true) return { kind: 'none' };
  const essence = mediaTypeOf(request, row);
  if (essence === null) return { kind: 'none' };
  if (essence === 'application/x-ndjson')
    return { kind: 'stream', stream: streamBody(request, timeouts.idle) };
  const bytes = await readWhole(request, row.bodyLimit ?? DEFAULT_BODY_LIMIT, timeouts.whole);
  // clients name a type whatever they send; nothing is told by it that is not told by sending nothing
  if (bytes.byteLength === 0) return { kind: 'none' };
  return { kind: 'json', json: parseJsonBody(bytes), bytes };
}

/** True where the request brought a body that nobody read to its end. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return !request.readableEnded && (encoding !== undefined || (length !== undefined && length !== '0'));
}

/** The media type, or null where there is no body; throws for one that is not taken. */
function mediaTypeOf(request: IncomingMessage, row: Pick<Operation, 'acceptsNdjson'>): string | null {
  const header = request.headers['content-type'];
  if (header === undefined && !hasUnreadBody(request)) return null;
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type', { message: 'A request body may not be compressed.' });
  }
  const type = header === undefined ? null : parseMediaType(header);
  const taken = ['application/json', ...(row.acceptsNdjson === true ? ['application/x-ndjson'] : [])];
  if (type === null || !taken.includes(type.essence) || !isUtf8(type)) {
    throw new ServiceError('unsupported_media_type', {
      message: `The body must be sent as ${taken.join(' or ')}, in UTF-8.`,
    });
  }
  return type.essence;
}

function readWhole(request: IncomingMessage, limit: number, timeout: number): Promise<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const collected = new GrowingBuffer(limit);
    const timer = setTimeout(() => settle(() => reject(new ServiceError('request_timeout'))), timeout);
    const onData = (chunk: Uint8Array) => {
      if (!collected.take(chunk)) settle(() => reject(tooLarge(limit)));
    };
    const onEnd = () => settle(() => resolve(collected.bytes()));
    const onGone = () => settle(() => reject(clientGone()));
    const settle = (then: () => void) => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      request.pause();
      then();
    };
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

async function* streamBody(request: IncomingMessage, idle: number): AsyncGenerator<Uint8Array> {
  // the connection must outlive an early end of the loop: the answer still goes out on it
  const chunks = request.iterator({ destroyOnReturn: false });
  try {
    while (true) {
      const chunk = await withTimeout(chunks.next(), idle);
      if (chunk.done === true) break;
      yield chunk.value as Uint8Array;
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : clientGone();
  }
  if (request.complete === false) throw clientGone();
}

async function withTimeout<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ServiceError('request_timeout')), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** @throws ServiceError body_too_large */
export function assertSize(bytes: number, limit: number): void {
  if (bytes > limit) throw tooLarge(limit);
}

function tooLarge(limit: number): ServiceError {
  return new ServiceError('body_too_large', { message: `The body is over ${limit} bytes.` });
}

function clientGone(): ServiceError {
  return new ServiceError('bad_request', { message: 'The connection ended before the body did.' });
}

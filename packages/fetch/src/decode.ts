import { pipeline as chain, type Duplex } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Answer } from './exchange.ts';
import { codeOf, FetchFailure } from './failure.ts';

/** Content codings that may be applied to one body. */
const MAX_CODINGS = 3;

/** 2^23 bytes: the window for zstd on the web (RFC 9659). */
const ZSTD_WINDOW_LOG = 23;

/**
 * The codings of a `Content-Encoding` header, in the order they were applied (RFC 9110 section 8.4).
 *
 * @throws FetchFailure encoding_unsupported
 */
export function parseContentEncoding(header: string | undefined): string[] {
  const codings = (header ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MAX_CODINGS)
    throw new FetchFailure('encoding_unsupported', `${codings.length} codings`);
  const unknown = codings.find((coding) => !DECODERS.has(coding));
  if (unknown !== undefined) throw new FetchFailure('encoding_unsupported', unknown);
  return codings;
}

/** Bytes for several fetches together; each subtracts what it reads. */
export interface Allowance {
  left: number;
}

/**
 * Decodes a body as it is read. The bytes read from the network and those after each coding are counted, which stops
 * decompression bombs and endless streams of empty blocks.
 *
 * @param limit - bytes, for each stage
 * @param allowance - bytes of all stages, shared with other bodies
 * @throws FetchFailure too_large or encoding_…; any error of the body itself
 */
export function decoded(
  { headers, body }: Pick<Answer, 'headers' | 'body'>,
  limit: number,
  allowance: Allowance = { left: Number.POSITIVE_INFINITY },
): AsyncIterable<Buffer> {
  const codings = parseContentEncoding(headers['content-encoding']);
  const announced = Number(headers['content-length'] ?? 0);
  if (announced > Math.min(limit, allowance.left))
    throw new FetchFailure('too_large', `${announced} bytes announced`);
  let source: AsyncIterable<Buffer> = counted(body, limit, allowance);
  for (const coding of codings.toReversed()) {
    const create = DECODERS.get(coding);
    if (create !== undefined) source = counted(decodedBy(create, source), limit, allowance);
  }
  return source;
}

/** Reads a body to its end, with the limits of `decoded`. */
export async function readDecoded(
  answer: Pick<Answer, 'headers' | 'body'>,
  limit: number,
  allowance?: Allowance,
): Promise<Uint8Array> {
  return await collect(decoded(answer, limit, allowance), limit);
}

/** Minimum growth of a collected body, in bytes. */
const GROWTH = 65_536;

/**
 * Collects a body in one resizable buffer with its own memory pages, which is passed on without copying: thousands of small
 * chunks, or copies of megabytes, would fragment the heap, so that a process that grew because of hostile pages would
 * never shrink again.
 */
async function collect(source: AsyncIterable<Buffer>, limit: number): Promise<Uint8Array> {
  const buffer = new ArrayBuffer(Math.min(GROWTH, limit), { maxByteLength: limit });
  let length = 0;
  try {
    for await (const chunk of source) {
      const needed = length + chunk.length;
      if (needed > buffer.byteLength) buffer.resize(Math.min(limit, Math.max(needed, 2 * buffer.byteLength)));
      new Uint8Array(buffer).set(chunk, length);
      length = needed;
    }
  } catch (error) {
    // frees the memory now instead of at the next garbage collection
    buffer.resize(0);
    throw error;
  }
  buffer.resize(length);
  return new Uint8Array(buffer, 0, length);
}

async function* counted(
  source: AsyncIterable<Buffer>,
  limit: number,
  allowance: Allowance,
): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const chunk of source) {
    count += chunk.length;
    allowance.left -= chunk.length;
    if (count > limit) throw new FetchFailure('too_large', `more than ${limit} bytes`);
    if (allowance.left < 0) throw new FetchFailure('too_large', 'more than was left for it');
    yield chunk;
  }
}

/** Creates a decoder for a body that begins with this byte. */
type CreateDecoder = (first: number) => Duplex;

/** Connects a decoder to the stage before it; an error of either ends both. */
async function* decodedBy(create: CreateDecoder, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = source[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return;
  let sourceError: unknown;
  const whole = async function* () {
    try {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } catch (error) {
      sourceError = error;
      throw error;
    }
  };
  try {
    // errors are reported where the decoder is read
    yield* chain(whole, create(first.value[0] ?? 0), () => {});
  } catch (error) {
    if (error === sourceError) throw error;
    throw new FetchFailure('encoding_broken', codeOf(error));
  }
}

/** Not available before Node 22.15. */
const { createZstdDecompress }: Partial<typeof zlib> = zlib;

const DECODERS: ReadonlyMap<string, CreateDecoder> = new Map<string, CreateDecoder>([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  // "deflate" means the zlib format, but many servers send it raw; the first byte distinguishes them (RFC 1950)
  ['deflate', (first) => ((first & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw())],
  ['br', () => zlib.createBrotliDecompress()],
  ...(createZstdDecompress === undefined ? [] : [['zstd', zstd] as const]),
]);

function zstd(): Duplex {
  return zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } });
}

/** The `Accept-Encoding` header of a fetch. */
export const ACCEPTED_CODINGS = [...DECODERS.keys()].filter((coding) => coding !== 'x-gzip').join(', ');

import { pipeline as chain, type Duplex, type Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import { codeOf, FetchFailure } from './failure.ts';

/** How many content codings may be laid over each other. */
const MAX_CODINGS = 3;

/** 2^23 bytes, the window that RFC 9659 allows for zstd on the web; more would only cost memory. */
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

/** Bytes that several fetches may take together; each takes what it reads from what is left. */
export interface Allowance {
  left: number;
}

/**
 * Reads a body to its end and undoes its codings. What is read from the wire and what comes out of each
 * coding is counted, so neither a bomb nor an endless stream of empty blocks is ever held.
 *
 * @param limit - bytes, for each stage
 * @param allowance - bytes of all stages, shared with other bodies
 * @throws FetchFailure too_large or encoding_broken; whatever the stream itself fails with
 */
export async function readBody(
  body: Readable,
  codings: readonly string[],
  limit: number,
  allowance?: Allowance,
): Promise<Uint8Array> {
  return await collect(decodedBody(body, codings, limit, allowance), limit);
}

/** A body as it comes, its codings undone, under the bounds of `readBody`. */
export function decodedBody(
  body: Readable,
  codings: readonly string[],
  limit: number,
  allowance?: Allowance,
): AsyncIterable<Buffer> {
  const counted = countedTo(limit, allowance);
  const stages = codings.toReversed().flatMap((coding) => [DECODERS.get(coding), counted]);
  let source: AsyncIterable<Buffer> = counted(body);
  for (const stage of stages) source = stage === undefined ? source : stage(source);
  return source;
}

/** Bytes that a collected body grows by at the least. */
const GROWTH = 65_536;

/**
 * One buffer that grows in place, in pages of its own, and goes to the reader as it is: thousands of small chunks, or
 * a copy of megabytes, would leave the allocator in pieces, and a process that hostile pages have swollen would never
 * shrink again.
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
    // given back at once, not when garbage is collected
    buffer.resize(0);
    throw error;
  }
  buffer.resize(length);
  return new Uint8Array(buffer, 0, length);
}

type Stage = (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;

function countedTo(limit: number, allowance: Allowance = { left: Number.POSITIVE_INFINITY }): Stage {
  return async function* counted(source) {
    let count = 0;
    for await (const chunk of source) {
      count += chunk.length;
      allowance.left -= chunk.length;
      if (count > limit) throw new FetchFailure('too_large', `more than ${limit} bytes`);
      if (allowance.left < 0) throw new FetchFailure('too_large', 'more than was left for it');
      yield chunk;
    }
  };
}

/** Puts a decoder between two stages; an error of either side ends both. */
function decodedBy(create: (first: number) => Duplex): Stage {
  return async function* decoded(source) {
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
      // what goes wrong surfaces where the decoder is read
      yield* chain(whole, create(first.value[0] ?? 0), () => {});
    } catch (error) {
      if (error === sourceError) throw error;
      throw new FetchFailure('encoding_broken', codeOf(error));
    }
  };
}

const DECODERS: ReadonlyMap<string, Stage> = new Map([
  ['gzip', decodedBy(() => zlib.createGunzip())],
  ['x-gzip', decodedBy(() => zlib.createGunzip())],
  // "deflate" means the zlib format, but many servers send it raw; the first byte tells (RFC 1950)
  ['deflate', decodedBy((first) => ((first & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()))],
  ['br', decodedBy(() => zlib.createBrotliDecompress())],
  ...zstd(),
]);

/** None before Node 22.15. */
function zstd(): [string, Stage][] {
  const { createZstdDecompress, constants }: Partial<typeof zlib> = zlib;
  const params = { [constants?.ZSTD_d_windowLogMax ?? 0]: ZSTD_WINDOW_LOG };
  return createZstdDecompress === undefined
    ? []
    : [['zstd', decodedBy(() => createZstdDecompress({ params }))]];
}

/** `Accept-Encoding` of a fetch. */
export const ACCEPTED_CODINGS = [...DECODERS.keys()].filter((coding) => coding !== 'x-gzip').join(', ');

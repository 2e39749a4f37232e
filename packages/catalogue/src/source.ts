import { CATALOGUE_LIMITS, LimitExceeded } from './limits.ts';
import { SourceDecoder, type SourceForm } from './source-decoder.ts';

/** The bytes are neither UTF-8, nor UTF-16 with a byte order mark, nor in the declared encoding. */
export class NotUtf8Error extends Error {
  constructor() {
    super('not UTF-8');
    this.name = 'NotUtf8Error';
  }
}

/**
 * The text of a source, piece by piece, without a byte order mark: UTF-8 with or without one, UTF-16 with one (spreadsheets
 * write both), XML in its declared encoding.
 *
 * @throws NotUtf8Error at the first byte that cannot be decoded: guessing would lead to garbled names in certificates
 */
export async function* textPieces(
  source: CatalogueSource,
  form: SourceForm = {},
): AsyncGenerator<string, void, undefined> {
  let kept = '';
  let total = 0;
  for await (const text of decoded(source, form)) {
    total += text.length;
    // counted after decompression, which may expand the bytes a thousandfold
    if (total > CATALOGUE_LIMITS.text.most) throw new LimitExceeded('text');
    kept += text;
    if (kept.length < PIECE) continue;
    for (let at = 0; at < kept.length; at += PIECE) yield kept.slice(at, at + PIECE);
    kept = '';
  }
  if (kept !== '') yield kept;
}

/** Characters of a piece: readers may go over the beginning of a text again with each piece, and hold one in memory. */
const PIECE = 65_536;

async function* decoded(source: CatalogueSource, form: SourceForm): AsyncGenerator<string, void, undefined> {
  const decoder = new SourceDecoder();
  let first = true;
  for await (const piece of decompressed(pieces(source), form)) {
    if (typeof piece === 'string') {
      const isMarked = first && piece.startsWith('\uFEFF');
      if (isMarked) form.hasMark = true;
      if (piece.length > 0) first = false;
      yield isMarked ? piece.slice(1) : piece;
      continue;
    }
    for (let at = 0; at < piece.length; at += PIECE)
      yield decode(() => decoder.push(piece.subarray(at, at + PIECE), form));
  }
  yield decode(() => decoder.end(form));
}

/** A whole text, its bytes, or either piece by piece (a file stream, the body of a response). */
export type CatalogueSource = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** The bytes are compressed with gzip, and cannot be decompressed completely. */
export class BrokenGzipError extends Error {
  constructor() {
    super('broken gzip');
    this.name = 'BrokenGzipError';
  }
}

/** Decompresses data that begins like gzip (RFC 1952), whatever its name. */
async function* decompressed(
  source: AsyncIterable<string | Uint8Array>,
  form: SourceForm,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let start: string | Uint8Array = '';
  while (start.length < 2) {
    const next: IteratorResult<string | Uint8Array, void> = await iterator.next();
    if (next.done === true) break;
    if (start.length === 0) start = next.value;
    else if (typeof start !== 'string' && typeof next.value !== 'string')
      start = new Uint8Array([...start, ...next.value]);
    else {
      yield start;
      start = next.value;
    }
  }
  if (start.length === 0) return;
  const rest = { [Symbol.asyncIterator]: () => iterator };
  if (typeof start === 'string' || start[0] !== 0x1f || start[1] !== 0x8b) {
    yield start;
    yield* rest;
    return;
  }
  form.isPacked = true;
  const packed = async function* () {
    yield start;
    yield* rest;
  };
  const chunks = packed();
  const stream = new ReadableStream<BufferSource>({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else if (typeof next.value !== 'string') controller.enqueue(new Uint8Array(next.value));
    },
  });
  const reader = stream.pipeThrough(new DecompressionStream('gzip')).getReader();
  for (;;) {
    const next = await reader.read().catch((error: unknown) => {
      if (error instanceof TypeError) throw new BrokenGzipError();
      throw error;
    });
    if (next.done) return;
    yield next.value;
  }
}

async function* pieces(source: CatalogueSource): AsyncGenerator<string | Uint8Array, void, undefined> {
  if (typeof source === 'string' || source instanceof Uint8Array) yield source;
  else yield* source;
}

function decode(run: () => string): string {
  try {
    return run();
  } catch (error) {
    if (error instanceof TypeError) throw new NotUtf8Error();
    throw error;
  }
}

/** The bytes are no UTF-8, nor UTF-16 with a byte order mark. */
export class NotUtf8Error extends Error {
  constructor() {
    super('not UTF-8');
    this.name = 'NotUtf8Error';
  }
}

/**
 * Text of a source, piece by piece, without BOM: UTF-8 with or without one, UTF-16 with one (spreadsheets write both).
 *
 * @throws NotUtf8Error at the first byte that cannot be decoded: guessing would sign garbled names
 */
export async function* textPieces(source: CatalogueSource): AsyncGenerator<string, void, undefined> {
  let decoder: TextDecoder | undefined;
  let first = true;
  for await (const piece of pieces(source)) {
    if (typeof piece === 'string') {
      const text = first && piece.startsWith('\uFEFF') ? piece.slice(1) : piece;
      if (piece.length > 0) first = false;
      yield text;
      continue;
    }
    decoder ??= decoderFor(piece);
    yield decode(() => decoder?.decode(piece, { stream: true }) ?? '');
  }
  if (decoder !== undefined) yield decode(() => decoder?.decode() ?? '');
}

/** A whole text, its bytes, or either piece by piece (a file stream, the body of an answer). */
export type CatalogueSource = string | Uint8Array | AsyncIterable<string | Uint8Array>;

async function* pieces(source: CatalogueSource): AsyncGenerator<string | Uint8Array, void, undefined> {
  if (typeof source === 'string' || source instanceof Uint8Array) yield source;
  else yield* source;
}

function decoderFor(start: Uint8Array): TextDecoder {
  const little = start[0] === 0xff && start[1] === 0xfe;
  const big = start[0] === 0xfe && start[1] === 0xff;
  return new TextDecoder(little ? 'utf-16le' : big ? 'utf-16be' : 'utf-8', { fatal: true });
}

function decode(run: () => string): string {
  try {
    return run();
  } catch (error) {
    if (error instanceof TypeError) throw new NotUtf8Error();
    throw error;
  }
}

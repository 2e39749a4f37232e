import { Parser } from 'htmlparser2';

/** Reads bytes as text: UTF-8 with or without BOM, UTF-16 with one (spreadsheets write both). */
export class NotUtf8Error extends Error {
  constructor() {
    super('not UTF-8');
    this.name = 'NotUtf8Error';
  }
}

/**
 * Text of a source, piece by piece, without BOM.
 *
 * @throws NotUtf8Error at the first byte that is no UTF-8: guessing would sign garbled names.
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

/**
 * One line of plain text out of a wire value.
 *
 * @returns `undefined` for what is empty, no text or number, or carries half a character (a lone surrogate).
 */
export function line(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  if (typeof text !== 'string' || !text.isWellFormed()) return undefined;
  const flat = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return flat === '' ? undefined : flat;
}

/** As `line`, for fields that carry HTML: entities are decoded, tags dropped (WooCommerce names). */
export function htmlLine(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/[&<]/.test(value)) return line(value);
  let text = '';
  const parser = new Parser(
    {
      ontext: (data) => {
        text += data;
      },
      onopentagname: (name) => {
        if (name === 'br') text += ' ';
      },
    },
    { decodeEntities: true },
  );
  parser.end(value);
  return line(text);
}

/** Identifier of the platform: a positive whole number or a text. */
export function identifier(value: unknown): string | undefined {
  // beyond 2^53 the number read is no longer the number written
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
  return typeof value === 'string' ? line(value) : undefined;
}

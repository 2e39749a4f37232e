/** Bytes within which an XML declaration ends. */
const DECLARATION = 256;
/** Bytes by which a document that declares another encoding is tested for UTF-8. */
const SAMPLE = 65_536;

/** How a source was written, filled in before its first piece of text: by it, text can be written likewise. */
export interface SourceForm {
  /** Compressed with gzip. */
  isPacked?: boolean;
  /** Its encoding, by the name of the Encoding Standard; absent for a source that is text. */
  encoding?: string;
  /** Whether it begins with a byte order mark. */
  hasMark?: boolean;
}

/**
 * Decodes the bytes of a source: by its byte order mark, else by an XML declaration (XML 1.0, section 4.3.3), else as UTF-8. Valid
 * UTF-8 with non-ASCII characters is decoded as UTF-8 whatever the declaration states, since software that writes feeds often
 * declares the encoding of its templates.
 *
 * Every method throws a TypeError for bytes that are invalid in the encoding.
 */
export class SourceDecoder {
  #decoder: TextDecoder | undefined;
  #kept: Uint8Array[] = [];
  #bytes = 0;
  #needed = DECLARATION;

  /** @param form - is told the encoding */
  push(piece: Uint8Array, form: SourceForm = {}): string {
    if (this.#decoder !== undefined) return this.#decoder.decode(piece, { stream: true });
    this.#kept.push(piece);
    this.#bytes += piece.length;
    return this.#bytes < this.#needed ? '' : this.#begin(false, form);
  }

  end(form: SourceForm = {}): string {
    const begun = this.#decoder === undefined ? this.#begin(true, form) : '';
    return begun + (this.#decoder?.decode() ?? '');
  }

  #begin(isWhole: boolean, form: SourceForm): string {
    const start = new Uint8Array(this.#bytes);
    let at = 0;
    for (const piece of this.#kept) {
      start.set(piece, at);
      at += piece.length;
    }
    const declared = declaredBy(start);
    if (declared !== undefined && !isWhole && start.length < SAMPLE) {
      this.#needed = SAMPLE;
      return '';
    }
    this.#kept = [];
    this.#decoder =
      declared !== undefined && !isNonAsciiUtf8(start)
        ? declared
        : new TextDecoder(byteOrder(start) ?? 'utf-8', { fatal: true });
    form.encoding = this.#decoder.encoding;
    if (hasMark(start)) form.hasMark = true;
    return this.#decoder.decode(start, { stream: true });
  }
}

/** Whether a byte order mark stands first, which decoders leave out. */
function hasMark(start: Uint8Array): boolean {
  const isUtf8 = start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf;
  return isUtf8 || byteOrder(start) !== undefined;
}

function byteOrder(start: Uint8Array): string | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : undefined;
}

/** A decoder for the encoding in an XML declaration, if it is supported and extends ASCII. */
function declaredBy(start: Uint8Array): TextDecoder | undefined {
  const text = String.fromCharCode(...start.subarray(0, DECLARATION));
  const label = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(text)?.[1];
  if (label === undefined || /^utf-?\d/i.test(label)) return undefined;
  try {
    return new TextDecoder(label, { fatal: true });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether the bytes are valid UTF-8 with non-ASCII characters; the last character may be incomplete. */
function isNonAsciiUtf8(start: Uint8Array): boolean {
  if (start.every((byte) => byte < 0x80)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

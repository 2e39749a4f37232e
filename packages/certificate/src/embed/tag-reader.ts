/** ASCII codes of HTML syntax characters. */
export const ASCII = {
  bang: 0x21,
  dash: 0x2d,
  slash: 0x2f,
  less: 0x3c,
  equals: 0x3d,
  greater: 0x3e,
  question: 0x3f,
} as const;

const QUOTES: readonly number[] = [0x22, 0x27];

/** Tab, line feed, form feed, carriage return, space. */
export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x09 || byte === 0x0d || byte === 0x0c;
}

export function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Finds the end of a tag that arrives in chunks, past quoted values (HTML Living Standard, 13.2.5.32 to 13.2.5.40). */
export interface TagReader {
  /** Resets the reader to the position after a tag name. */
  begin(): void;
  /** @returns the index after the tag's `>`, or -1 if it is not in these bytes */
  endIn(bytes: Uint8Array, from: number): number;
  /** Whether the last tag ended with `/>`. */
  isSelfClosing(): boolean;
}

export function createTagReader(): TagReader {
  let phase: 'names' | 'equals' | 'value' | 'quoted' = 'names';
  let quote = 0;
  let hasName = false;
  let isClosing = false;
  const next = () => {
    phase = 'names';
    hasName = false;
  };

  const read = (byte: number): void => {
    const wasNames = phase === 'names';
    isClosing = wasNames && byte === ASCII.slash;
    if (phase === 'equals') {
      if (isSpace(byte)) return;
      phase = QUOTES.includes(byte) ? 'quoted' : 'value';
      quote = byte;
    } else if (phase === 'value') {
      if (isSpace(byte)) next();
    } else if (isClosing) hasName = false;
    // an equals sign where a name is expected is the first character of that name
    else if (byte === ASCII.equals && hasName) phase = 'equals';
    else if (!isSpace(byte)) hasName = true;
  };

  return {
    begin() {
      next();
      isClosing = false;
    },
    endIn(bytes, from) {
      for (let at = from; at < bytes.length; at++) {
        if (phase === 'quoted') {
          at = bytes.indexOf(quote, at);
          if (at === -1) return -1;
          next();
          isClosing = false;
          continue;
        }
        const byte = bytes[at] as number;
        if (byte === ASCII.greater) return at + 1;
        read(byte);
      }
      return -1;
    },
    isSelfClosing: () => isClosing,
  };
}

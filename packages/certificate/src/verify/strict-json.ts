/** Fatal, and a byte order mark is left for the JSON parser to refuse. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g;

/**
 * Parses UTF-8 bytes as one JSON object and refuses what two readers could understand differently: invalid
 * UTF-8, a byte order mark, and a name that stands twice in the same object (RFC 7515 section 4, RFC 7519
 * section 4).
 *
 * @returns `null` for anything else
 */
export function parseStrictObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const text = UTF8.decode(bytes);
    const value = JSON.parse(text) as Record<string, unknown> | null;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return hasAsManyTexts(value, bytes) || !hasRepeatedName(text) ? value : null;
  } catch {
    return null;
  }
}

/**
 * A quick yes for plain objects, which nearly all are: where nothing is nested or escaped, and the object holds as
 * many texts as the bytes hold pairs of quotes, none was lost to a name that stands twice.
 */
function hasAsManyTexts(value: Readonly<Record<string, unknown>>, bytes: Uint8Array): boolean {
  let quotes = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === 0x22) quotes++;
    else if (byte === 0x5c) return false;
  }
  let texts = 0;
  for (const name in value) {
    const member = value[name];
    if (typeof member === 'object' && member !== null) return false;
    texts += typeof member === 'string' ? 2 : 1;
  }
  return quotes === texts * 2;
}

/** Walks text that `JSON.parse` has accepted, so quotes and braces are known to match. */
function hasRepeatedName(text: string): boolean {
  const around: Set<string>[] = [];
  let names = new Set<string>();
  for (const [token, colon] of text.matchAll(TOKEN)) {
    if (token === '{') {
      around.push(names);
      names = new Set();
    } else if (token === '}') names = around.pop() ?? names;
    else if (colon !== undefined) {
      const name = JSON.parse(token.slice(0, token.lastIndexOf('"') + 1)) as string;
      if (names.has(name)) return true;
      names.add(name);
    }
  }
  return false;
}

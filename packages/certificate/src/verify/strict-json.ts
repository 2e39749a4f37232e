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
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value = JSON.parse(text) as Record<string, unknown> | null;
    return typeof value !== 'object' || Array.isArray(value) || hasRepeatedName(text) ? null : value;
  } catch {
    return null;
  }
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

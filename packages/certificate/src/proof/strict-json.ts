/** Fatal; a byte order mark is kept, so that the JSON parser rejects it. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A brace, or a string with the colon that makes it a name. */
const TOKEN = /"(?:[^"\\]|\\.)*"(?=\s*(:?))|[{}]/g;

/**
 * Parses UTF-8 bytes as one JSON object and rejects input that parsers may interpret differently: invalid UTF-8, a byte
 * order mark, and duplicate names in an object (RFC 7515 section 4, RFC 7519 section 4).
 *
 * @returns `null` for anything else
 */
export function parseStrictObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const text = UTF8.decode(bytes);
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return null;
    return namesIn(text) === membersIn(value) || !hasRepeatedName(text) ? value : null;
  } catch {
    return null;
  }
}

/** Whether a value parsed from JSON is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Number of members of a value, including nested ones. */
function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const isList = Array.isArray(value);
  let count = 0;
  for (const member of isList ? value : Object.values(value)) {
    if (!isList) count++;
    if (typeof member === 'object') count += membersIn(member);
  }
  return count;
}

/**
 * Upper bound for the number of names in a JSON text: colons that follow a quote or white space. If it equals the
 * number of parsed members, no name is duplicated at any level.
 */
function namesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    if (text.charCodeAt(at - 1) <= 0x22) count++;
  }
  return count;
}

/** Expects text accepted by `JSON.parse`, so quotes and braces are balanced. */
function hasRepeatedName(text: string): boolean {
  const around: Set<string>[] = [];
  let names = new Set<string>();
  for (const [token, colon] of text.matchAll(TOKEN)) {
    if (token === '{') {
      around.push(names);
      names = new Set();
    } else if (token === '}') names = around.pop() ?? names;
    else if (colon) {
      const name = JSON.parse(token) as string;
      if (names.has(name)) return true;
      names.add(name);
    }
  }
  return false;
}

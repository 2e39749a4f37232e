const TOKEN = "[!#$%&'*+.^_`|~0-9a-z-]+";
const ESSENCE = new RegExp(`^(${TOKEN})/(${TOKEN})$`);
const PARAMETER = new RegExp(`^(${TOKEN})=(${TOKEN}|"(?:[^"\\\\]|\\\\.)*")$`);

export interface MediaType {
  /** `type/subtype`, lower case. */
  readonly essence: string;
  /** Lower case; absent where none was given. */
  readonly charset?: string;
}

/**
 * Reads a Content-Type (RFC 9110 section 8.3.1): case and optional whitespace do not matter, nor does an empty
 * parameter (`application/json;`). Anything that the grammar does not allow is null.
 */
export function parseMediaType(header: string): MediaType | null {
  const [first = '', ...rest] = splitParameters(header);
  const essence = trim(first).toLowerCase();
  if (!ESSENCE.test(essence)) return null;
  let charset: string | undefined;
  for (const part of rest) {
    const parameter = trim(part);
    if (parameter === '') continue;
    const match = PARAMETER.exec(lowerName(parameter));
    if (match === null) return null;
    if (match[1] === 'charset') charset ??= unquote(match[2] ?? '').toLowerCase();
  }
  return charset === undefined ? { essence } : { essence, charset };
}

/** JSON is UTF-8 (RFC 8259 section 8.1); a charset that says otherwise is not taken at its word but refused. */
export function isUtf8(type: MediaType): boolean {
  return type.charset === undefined || type.charset === 'utf-8' || type.charset === 'utf8';
}

function splitParameters(header: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let i = 0; i < header.length; i++) {
    const c = header[i];
    if (quoted && c === '\\') i++;
    else if (c === '"') quoted = !quoted;
    else if (c === ';' && !quoted) {
      parts.push(header.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(header.slice(start));
  return parts;
}

/** Without the optional whitespace of HTTP at both ends. By hand: a pattern looks at each inner run once per space in it. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (isWhitespace(text[start])) start++;
  while (end > start && isWhitespace(text[end - 1])) end--;
  return text.slice(start, end);
}

function isWhitespace(c: string | undefined): boolean {
  return c === ' ' || c === '\t';
}

function lowerName(parameter: string): string {
  const equals = parameter.indexOf('=');
  if (equals < 0) return parameter;
  const value = parameter.slice(equals + 1);
  return (
    parameter.slice(0, equals).toLowerCase() +
    (value.startsWith('"') ? `=${value}` : `=${value.toLowerCase()}`)
  );
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}

/** Maximum nesting depth; documents that we issue have six levels. */
export const MAX_DEPTH = 64;
/** Maximum output length in characters; more than a document or page may have. */
export const MAX_LENGTH = 4_194_304;

/** State of one serialisation: the remaining length, and the namespace to replace. */
interface Writing {
  left: number;
  readonly namespace: string;
}

/** `canonicalJson` for any value, member by member. */
export function canonicalText(value: unknown, namespace: string): string | null {
  const text = written(value, 0, { left: MAX_LENGTH, namespace });
  return text === null || text.length > MAX_LENGTH ? null : text;
}

function written(value: unknown, depth: number, writing: Writing): string | null {
  if (typeof value === 'string') return quoted(value, writing);
  if (typeof value === 'number') return Number.isFinite(value) ? counted(String(value), writing) : null;
  if (value === null || typeof value === 'boolean') return counted(String(value), writing);
  writing.left -= 2;
  if (typeof value !== 'object' || depth >= MAX_DEPTH || writing.left < 0) return null;
  return Array.isArray(value)
    ? writtenList(value, depth + 1, writing)
    : writtenObject(value, depth + 1, writing);
}

function quoted(text: string, writing: Writing): string | null {
  return text.isWellFormed() ? counted(JSON.stringify(text), writing) : null;
}

function counted(text: string, writing: Writing): string | null {
  writing.left -= text.length;
  return writing.left < 0 ? null : text;
}

function writtenList(list: readonly unknown[], depth: number, writing: Writing): string | null {
  const parts = Array.from(list, (entry) => written(entry, depth, writing));
  return parts.includes(null) ? null : `[${parts.join(',')}]`;
}

function writtenObject(object: object, depth: number, writing: Writing): string | null {
  const { namespace } = writing;
  const inFull = (name: string) => namespace !== '' && name.startsWith(namespace);
  const entries = Object.entries(object).map(
    ([name, member]) => [inFull(name) ? `svc:${name.slice(namespace.length)}` : name, member] as const,
  );
  const members = new Map<string, unknown>(entries);
  if (members.size < entries.length) return null;
  // default sort order: by UTF-16 code units
  const names = [...members.keys()].filter((name) => members.get(name) !== undefined).toSorted();
  const parts = names.map((name) => {
    const key = quoted(name, writing);
    const text = written(members.get(name), depth, writing);
    return key === null || text === null ? null : `${key}:${text}`;
  });
  return parts.includes(null) ? null : `{${parts.join(',')}}`;
}

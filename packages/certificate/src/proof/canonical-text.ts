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

/** A name with `svc:` in place of the namespace. */
export function prefixed(name: string, namespace: string): string {
  return name.startsWith(namespace) ? `svc:${name.slice(namespace.length)}` : name;
}

function written(value: unknown, depth: number, writing: Writing): string | null {
  if (typeof value === 'string') return quoted(value, writing);
  if (typeof value === 'number') return Number.isFinite(value) ? counted(String(value), writing) : null;
  if (value === null || typeof value === 'boolean') return counted(String(value), writing);
  writing.left -= 2;
  if (typeof value !== 'object' || depth >= MAX_DEPTH || writing.left < 0) return null;
  return Array.isArray(value)
    ? writtenList(value, depth + 1, writing)
    : writtenObject(value as Readonly<Record<string, unknown>>, depth + 1, writing);
}

function quoted(text: string, writing: Writing): string | null {
  return text.isWellFormed() ? counted(JSON.stringify(text), writing) : null;
}

function counted(text: string, writing: Writing): string | null {
  writing.left -= text.length;
  return writing.left < 0 ? null : text;
}

function writtenList(list: readonly unknown[], depth: number, writing: Writing): string | null {
  let text = '';
  for (const entry of list) {
    const next = written(entry, depth, writing);
    if (next === null) return null;
    text += text === '' ? next : `,${next}`;
  }
  return `[${text}]`;
}

function writtenObject(
  object: Readonly<Record<string, unknown>>,
  depth: number,
  writing: Writing,
): string | null {
  const { namespace } = writing;
  const names = Object.keys(object);
  if (namespace !== '' && names.some((name) => name.startsWith(namespace))) {
    const renamed = new Map(names.map((name) => [prefixed(name, namespace), object[name]]));
    const isRepeated = renamed.size < names.length;
    return isRepeated
      ? null
      : writtenMembers(Object.fromEntries(renamed), [...renamed.keys()], depth, writing);
  }
  return writtenMembers(object, names, depth, writing);
}

function writtenMembers(
  object: Readonly<Record<string, unknown>>,
  names: string[],
  depth: number,
  writing: Writing,
): string | null {
  // default sort order: by UTF-16 code units
  names.sort();
  let text = '';
  for (const name of names) {
    const value = object[name];
    if (value === undefined) continue;
    const key = quoted(name, writing);
    const next = key === null ? null : written(value, depth, writing);
    if (next === null) return null;
    text += text === '' ? `${key}:${next}` : `,${key}:${next}`;
  }
  return `{${text}}`;
}

/** Levels of objects and lists that are written; the documents that we issue have six. */
const MAX_DEPTH = 64;
/** Characters of one text: more than a document or a page may have. */
const MAX_LENGTH = 4_194_304;

/** Canonicalising one value: what is left to write, and how members are called. */
interface Writing {
  left: number;
  readonly nameOf: ((name: string) => string) | undefined;
}

/**
 * The canonical JSON of a value (RFC 8785): members sorted by UTF-16 code units, no white space, numbers and texts
 * as ECMAScript writes them. `undefined` members are left out.
 *
 * @param nameOf - what members are called; two that come to one name are no JSON object
 * @returns `null` for what has no canonical form (lone surrogates, what is not JSON), and for what is over 64 levels
 *   deep or four million characters long: the work is bounded, whatever a stranger sends
 */
export function canonicalJson(value: unknown, nameOf?: (name: string) => string): string | null {
  return written(value, 0, { left: MAX_LENGTH, nameOf });
}

function written(value: unknown, depth: number, writing: Writing): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? counted(JSON.stringify(value), writing) : null;
  if (typeof value === 'number') return Number.isFinite(value) ? counted(String(value), writing) : null;
  if (value === null || typeof value === 'boolean') return counted(String(value), writing);
  if (typeof value !== 'object' || depth >= MAX_DEPTH) return null;
  return Array.isArray(value)
    ? writtenList(value, depth, writing)
    : writtenObject(value as Readonly<Record<string, unknown>>, depth, writing);
}

function counted(text: string, writing: Writing): string | null {
  writing.left -= text.length + 1;
  return writing.left < 0 ? null : text;
}

function writtenList(list: readonly unknown[], depth: number, writing: Writing): string | null {
  let text = counted('[', writing);
  for (const entry of list) {
    const next = written(entry, depth + 1, writing);
    if (next === null || text === null) return null;
    text += text === '[' ? next : `,${next}`;
  }
  return text === null ? null : `${text}]`;
}

function writtenObject(
  object: Readonly<Record<string, unknown>>,
  depth: number,
  writing: Writing,
): string | null {
  const members = membersOf(object, writing.nameOf);
  let text = counted('{', writing);
  if (members === null) return null;
  for (const [name, value] of members) {
    const key = name.isWellFormed() ? counted(JSON.stringify(name), writing) : null;
    const next = key === null ? null : written(value, depth + 1, writing);
    if (next === null || text === null) return null;
    text += text === '{' ? `${key}:${next}` : `,${key}:${next}`;
  }
  return text === null ? null : `${text}}`;
}

/** Sorted; `null` where two come to one name, since two readers could take each another. */
function membersOf(
  object: Readonly<Record<string, unknown>>,
  nameOf: Writing['nameOf'],
): [string, unknown][] | null {
  const members: [string, unknown][] = [];
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (value !== undefined) members.push([nameOf === undefined ? name : nameOf(name), value]);
  }
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  const isRepeated = nameOf !== undefined && members.some(([name], at) => name === members[at - 1]?.[0]);
  return isRepeated ? null : members;
}

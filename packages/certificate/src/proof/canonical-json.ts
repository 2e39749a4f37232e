/** Maximum nesting depth; documents that we issue have six levels. */
const MAX_DEPTH = 64;
/** Maximum output length in characters; more than a document or page may have. */
const MAX_LENGTH = 4_194_304;
/** Maximum number of values, at any depth; a document of ours with as many images as it may have has about 5,000. */
const MAX_VALUES = 20_000;

/**
 * The canonical JSON of a value (RFC 8785): members sorted by UTF-16 code units, no white space, numbers and strings as
 * in ECMAScript. `undefined` members are left out.
 *
 * @param namespace - names with this prefix are written with `svc:` instead; a collision of two names has no canonical
 *   form
 * @returns `null` for a value without canonical form (lone surrogates, non-JSON values), or of more than 64 levels,
 *   20,000 values or four million characters, which bounds the work for untrusted input
 * @example
 * ```ts
 * import { canonicalJson } from '@touchstone/certificate/issue';
 *
 * canonicalJson({ b: 1.0, a: ['é', null] }); // '{"a":["é",null],"b":1}'
 * ```
 */
export function canonicalJson(value: unknown, namespace = ''): string | null {
  const walk = { left: MAX_LENGTH, values: MAX_VALUES, namespace, isInOrder: true };
  if (!isWithinLimits(value, 0, walk)) return null;
  // the engine writes what is in order, as members that we issue are, in half the time; it escapes lone surrogates
  const byEngine = walk.isInOrder ? JSON.stringify(value) : '\\ud';
  const text = byEngine.includes('\\ud') ? write(value, namespace) : byEngine;
  return text === null || text.length > MAX_LENGTH ? null : text;
}

interface Walk {
  /** Characters that the output may still have; escapes and numbers are not counted. */
  left: number;
  /** Values that it may still have. */
  values: number;
  readonly namespace: string;
  /** Whether `JSON.stringify` writes all so far as canonical JSON: names in order, and nothing that it writes differently. */
  isInOrder: boolean;
}

/** Whether a value has only JSON in it, within the limits. */
function isWithinLimits(value: unknown, depth: number, walk: Walk): boolean {
  walk.values -= 1;
  if (walk.values < 0) return false;
  if (typeof value === 'string') {
    walk.left -= value.length + 2;
    return walk.left >= 0;
  }
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value === 'boolean') return true;
  walk.left -= 2;
  if (typeof value !== 'object' || depth >= MAX_DEPTH || walk.left < 0) return false;
  if (Array.isArray(value)) {
    walk.left -= value.length;
    if (Object.getPrototypeOf(value) !== Array.prototype) walk.isInOrder = false;
    // unlike `every`, this sees missing entries
    return !value.includes(undefined) && value.every((entry) => isWithinLimits(entry, depth + 1, walk));
  }
  // other objects may have a `toJSON`
  if (Object.getPrototypeOf(value) !== Object.prototype) walk.isInOrder = false;
  let before = '';
  for (const name of Object.keys(value)) {
    if (name < before || isSpecial(name, walk.namespace)) walk.isInOrder = false;
    walk.left -= name.length;
    before = name;
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member !== undefined && !isWithinLimits(member, depth + 1, walk)) return false;
  }
  return true;
}

/** Integer-like names always come first in an object; a name may have to be replaced. */
function isSpecial(name: string, namespace: string): boolean {
  const first = name.charCodeAt(0);
  if (first >= 0x30 && first <= 0x39) return true;
  // comparing the first character decides for nearly every name
  return first === namespace.charCodeAt(0) && name.startsWith(namespace);
}

/** Writes a value within the limits, member by member. */
function write(value: unknown, namespace: string): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? JSON.stringify(value) : null;
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const parts = isList ? value.map((entry) => write(entry, namespace)) : writeMembers(value, namespace);
  if (parts === null || parts.includes(null)) return null;
  return isList ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

function writeMembers(object: object, namespace: string): (string | null)[] | null {
  const inFull = (name: string) => namespace !== '' && name.startsWith(namespace);
  const entries = Object.entries(object).map(
    ([name, member]) => [inFull(name) ? `svc:${name.slice(namespace.length)}` : name, member] as const,
  );
  const members = new Map<string, unknown>(entries);
  if (members.size < entries.length) return null;
  // default sort order: by UTF-16 code units
  const names = [...members.keys()].filter((name) => members.get(name) !== undefined).toSorted();
  return names.map((name) => {
    const key = write(name, namespace);
    const text = write(members.get(name), namespace);
    return key === null || text === null ? null : `${key}:${text}`;
  });
}

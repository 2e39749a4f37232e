import { MAX_DEPTH, MAX_LENGTH } from './canonical-text.ts';

/** Result of `inOrder` for a value that needs the general algorithm. */
export const NOT_SIMPLE = Symbol('not simple');

/** The remaining length, and a prefix that names must not have. */
interface Room {
  left: number;
  readonly namespace: string;
}

type Members = Record<string, unknown>;

/**
 * Returns a value whose members `JSON.stringify` writes in the order of RFC 8785: the value itself, or a copy with its
 * names sorted. `NOT_SIMPLE` if JSON.stringify would deviate, or if a limit is exceeded.
 *
 * @param namespace - names with this prefix are not simple; empty: no prefix
 */
export function inOrder(value: unknown, namespace: string): unknown {
  return ordered(value, 0, { left: MAX_LENGTH, namespace });
}

function ordered(value: unknown, depth: number, room: Room): unknown {
  if (typeof value === 'string') {
    room.left -= value.length + 2;
    return value;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : NOT_SIMPLE;
  if (value === null || typeof value === 'boolean') return value;
  room.left -= 2;
  if (typeof value !== 'object' || depth >= MAX_DEPTH || room.left < 0) return NOT_SIMPLE;
  return Array.isArray(value)
    ? orderedList(value, depth + 1, room)
    : orderedMembers(value as Members, depth + 1, room);
}

function orderedList(list: readonly unknown[], depth: number, room: Room): unknown {
  if (Object.getPrototypeOf(list) !== Array.prototype) return NOT_SIMPLE;
  room.left -= list.length;
  let copy: unknown[] | undefined;
  for (let at = 0; at < list.length; at++) {
    const entry = list[at];
    const next = ordered(entry, depth, room);
    if (next === NOT_SIMPLE) return NOT_SIMPLE;
    if (next === entry) continue;
    copy ??= list.slice();
    copy[at] = next;
  }
  return copy ?? list;
}

function orderedMembers(object: Members, depth: number, room: Room): unknown {
  // other objects may have a `toJSON`
  if (Object.getPrototypeOf(object) !== Object.prototype) return NOT_SIMPLE;
  const names = Object.keys(object);
  let isCopied = false;
  let before = '';
  for (const name of names) {
    if (isSpecial(name, room.namespace)) return NOT_SIMPLE;
    room.left -= name.length;
    if (name < before) isCopied = true;
    before = name;
  }
  // default sort order: by UTF-16 code units
  if (isCopied) names.sort();
  let copy: Members | undefined = isCopied ? {} : undefined;
  for (const name of names) {
    const member = object[name];
    if (member === undefined) continue;
    const next = ordered(member, depth, room);
    if (next === NOT_SIMPLE) return NOT_SIMPLE;
    if (!isCopied && next !== member) copy ??= { ...object };
    if (copy !== undefined) copy[name] = next;
  }
  return copy ?? object;
}

/** Integer-like names always come first in an object, and setting `__proto__` creates no member. */
function isSpecial(name: string, namespace: string): boolean {
  const first = name.charCodeAt(0);
  if ((first >= 0x30 && first <= 0x39) || name === '__proto__') return true;
  // comparing the first character decides for nearly every name
  return first === namespace.charCodeAt(0) && name.startsWith(namespace);
}

import { MAX_DEPTH, MAX_LENGTH } from './canonical-text.ts';

/** What `inOrder` says of a value that it leaves to others. */
export const NOT_SIMPLE = Symbol('not simple');

/** Characters and brackets that may still come, and the prefix that no name may have. */
interface Room {
  left: number;
  readonly namespace: string;
}

type Members = Record<string, unknown>;

/**
 * A value of which `JSON.stringify` writes the members in the order of RFC 8785: the value itself, or a copy where its
 * names are in another order. `NOT_SIMPLE` for what the engine would write otherwise, or what is over the limits.
 *
 * @param namespace - names that begin with it are not simple; empty: there is none
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
  // anything else may have a `toJSON`
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
  // by UTF-16 code units, which is what sorting texts does of itself
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

/** Names of digits stand first in any object, whatever is written after them, and `__proto__` is no member when it is set. */
function isSpecial(name: string, namespace: string): boolean {
  const first = name.charCodeAt(0);
  if ((first >= 0x30 && first <= 0x39) || name === '__proto__') return true;
  // the first character tells of nearly every name
  return first === namespace.charCodeAt(0) && name.startsWith(namespace);
}

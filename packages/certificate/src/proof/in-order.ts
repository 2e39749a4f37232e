import { MAX_DEPTH, MAX_LENGTH } from './canonical-text.ts';

/** Remaining length, and a prefix that names must not have. */
interface Room {
  left: number;
  readonly namespace: string;
}

/**
 * Whether `JSON.stringify` writes this value as canonical JSON (RFC 8785), as it does with members that we issue: names in
 * order, nothing that it would write differently, within the limits.
 *
 * @param namespace - names with this prefix are to be replaced, so that they are not in order; empty: no prefix
 */
export function isInOrder(value: unknown, namespace: string): boolean {
  return isOrdered(value, 0, { left: MAX_LENGTH, namespace });
}

function isOrdered(value: unknown, depth: number, room: Room): boolean {
  if (typeof value === 'string') {
    room.left -= value.length + 2;
    return true;
  }
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value === 'boolean') return true;
  room.left -= 2;
  if (typeof value !== 'object' || depth >= MAX_DEPTH || room.left < 0) return false;
  // other objects may have a `toJSON`
  if (Array.isArray(value)) {
    room.left -= value.length;
    return (
      Object.getPrototypeOf(value) === Array.prototype &&
      // unlike `every`, this sees missing entries
      !value.includes(undefined) &&
      value.every((entry) => isOrdered(entry, depth + 1, room))
    );
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  let before = '';
  for (const name of Object.keys(value)) {
    if (name < before || isSpecial(name, room.namespace)) return false;
    room.left -= name.length;
    before = name;
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member !== undefined && !isOrdered(member, depth + 1, room)) return false;
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

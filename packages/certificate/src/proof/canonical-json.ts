import { canonicalText, MAX_LENGTH } from './canonical-text.ts';
import { inOrder, NOT_SIMPLE } from './in-order.ts';

/**
 * The canonical JSON of a value (RFC 8785): members sorted by UTF-16 code units, no white space, numbers and texts
 * as ECMAScript writes them. `undefined` members are left out.
 *
 * @param namespace - names that begin with it are written with `svc:` in its place; two that come to one name are no
 *   JSON object
 * @returns `null` for what has no canonical form (lone surrogates, what is not JSON), and for what is over 64 levels
 *   deep or four million characters long: the work is bounded, whatever a stranger sends
 * @example
 * ```ts
 * import { canonicalJson } from '@touchstone/certificate/issue';
 *
 * canonicalJson({ b: 1.0, a: ['é', null] }); // '{"a":["é",null],"b":1}'
 * ```
 */
export function canonicalJson(value: unknown, namespace = ''): string | null {
  return byTheEngine(value, namespace) ?? canonicalText(value, namespace);
}

/**
 * The same by `JSON.stringify`, which writes canonical JSON of what is in order, in half the time; `null` where it is
 * not certain to.
 */
function byTheEngine(value: unknown, namespace: string): string | null {
  const ordered = inOrder(value, namespace);
  if (ordered === NOT_SIMPLE) return null;
  const text = JSON.stringify(ordered);
  // the engine escapes lone surrogates, which have no canonical form
  return text.length > MAX_LENGTH || text.includes('\\ud') ? null : text;
}

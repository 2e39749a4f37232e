const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Whether `text` is a UUID in its canonical form (RFC 9562 section 4), in either case.
 *
 * @example
 * ```ts
 * import { isUuid } from '@touchstone/certificate/binding';
 *
 * isUuid('0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6'); // true
 * isUuid('cup-1'); // false
 * ```
 */
export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text);
}

/**
 * Whether two product identifiers are the same; UUIDs compare without regard to case (RFC 9562).
 *
 * @example
 * ```ts
 * import { sameProductId } from '@touchstone/certificate/binding';
 *
 * sameProductId('0B54ECB8-6A0C-4D43-A2EE-AE49E0C8A0A6', '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6'); // true
 * ```
 */
export function sameProductId(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

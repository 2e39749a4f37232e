/**
 * `uhash` of an image: SHA-256 of its bytes.
 *
 * @returns 64 hexadecimal digits
 * @example
 * ```ts
 * import { uhash } from '@touchstone/image';
 *
 * (await uhash(new Uint8Array())).slice(0, 8); // 'e3b0c442'
 * ```
 */
export async function uhash(bytes: Uint8Array): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

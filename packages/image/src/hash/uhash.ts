import { toHex } from './hex.ts';

/**
 * `uhash` of an image: SHA-256 of its bytes (decision 20).
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

import { withoutUnseen } from './unseen.ts';

/**
 * Removes user name and password from a URL, so that it can be stored and reported.
 *
 * @example
 * ```ts
 * import { withoutCredentials } from '@touchstone/certificate/text';
 *
 * withoutCredentials('https://user:word@shop.example/cup'); // 'https://shop.example/cup'
 * ```
 */
export function withoutCredentials(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address.replace(/\/\/[^/?#]*@/, '//');
  if (url.username === '' && url.password === '') return address;
  url.username = '';
  url.password = '';
  return url.href;
}

/**
 * Makes untrusted text safe to print: one line of at most 200 characters, without control and invisible characters.
 *
 * @example
 * ```ts
 * import { printable } from '@touchstone/certificate/text';
 *
 * printable('a\nb').length; // 3
 * ```
 */
export function printable(text: string): string {
  // truncating may split a surrogate pair
  return withoutUnseen(text).trim().slice(0, 200).toWellFormed();
}

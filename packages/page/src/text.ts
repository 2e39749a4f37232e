import { withoutUnseen } from '@touchstone/certificate/text';

/** An address as it may be kept and repeated: without the user name and password that somebody typed into it. */
export function withoutCredentials(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address.replace(/\/\/[^/?#]*@/, '//');
  if (url.username === '' && url.password === '') return address;
  url.username = '';
  url.password = '';
  return url.href;
}

/**
 * One line, without control and invisible characters, at most 200 characters: text of a page that is fit to be printed.
 *
 * @example
 * ```ts
 * import { printable } from '@touchstone/page';
 *
 * printable('a\nb').length; // 3
 * ```
 */
export function printable(text: string): string {
  // truncating may part a surrogate pair
  return withoutUnseen(text).trim().slice(0, 200).toWellFormed();
}

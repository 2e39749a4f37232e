import { withoutUnseen } from '@touchstone/certificate/text';

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

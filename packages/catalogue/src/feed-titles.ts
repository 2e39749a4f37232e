import { htmlLine } from './values.ts';

/** Characters; what variants share by chance is shorter. */
const MIN_TITLE = 3;
/** Of the shorter title; what products of one maker share by chance is less, and variants of one product share more. */
const MIN_SHARE = 0.25;
/** Characters, more than any name may have: what titles share is not found in time that grows with their length. */
const MAX_TITLE = 1_000;

/** The title of an item as a name. */
export function nameOf(title: string | undefined): string | undefined {
  return htmlLine(title)?.slice(0, MAX_TITLE);
}

/** Whether two titles are of one product: they share their beginning, and enough of it. */
export function areOneProduct(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && sharedTitle([one, other]) !== undefined;
}

/** Feeds name variants "Shirt - Red" and "Shirt - Blue": the product is what they share, if that is a name. */
export function sharedTitle(titles: readonly (string | undefined)[]): string | undefined {
  const [head, ...others] = titles;
  if (head === undefined || others.length === 0) return head;
  let length = head.length;
  for (const other of others) {
    while (length > 0 && other?.startsWith(head.slice(0, length)) !== true) length--;
  }
  const endsWord = titles.every((title) => !/[^\s\p{P}]/u.test(title?.charAt(length) ?? ''));
  const common = head
    .slice(0, length)
    .replace(endsWord ? /$/ : /[^\s\p{P}]*$/u, '')
    .replace(/[\s\p{Pd},:;|/(]+$/u, '');
  const shortest = Math.min(...titles.map((title) => title?.length ?? 0));
  return common.length >= Math.max(MIN_TITLE, shortest * MIN_SHARE) ? common : undefined;
}

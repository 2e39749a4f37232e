import { htmlLine } from './values.ts';

/** Characters that titles of variants share at least; less may be a coincidence. */
const MIN_TITLE = 3;
/** The shared part of the shorter title at least: more than products of one maker usually share, and less than variants do. */
const MIN_SHARE = 0.25;
/** Characters, more than any name may have: bounds the time for comparing titles. */
const MAX_TITLE = 1_000;

/** The title of an item as a name. */
export function nameOf(title: string | undefined): string | undefined {
  return htmlLine(title)?.slice(0, MAX_TITLE);
}

/** Whether two titles are those of one product: a large enough part of their beginning is the same. */
export function areOneProduct(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && sharedTitle([one, other]) !== undefined;
}

/** The name of a product whose variants a feed names "Shirt - Red" and "Shirt - Blue": what the titles share, if that is a name. */
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

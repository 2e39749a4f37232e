import { COLLECTION, IGNORED_PARAMETER } from './compare-page-urls.ts';
import { type NormalizedUrl, normalizePageUrl, parameterName, textOf } from './normalize-page-url.ts';

/**
 * Index key of a signed page address, for finding those equal to a visited page: if `comparePageUrls(signed, page)` is
 * equal, the key of `signed` is one of `pageKeys(page)`. The key consists of the parts that a page must have and may
 * not add to; addresses with the same key need not be equal.
 *
 * @returns `null` if it is not a page address
 * @example
 * ```ts
 * import { pageKey } from '@touchstone/certificate/binding';
 *
 * pageKey('https://shop.example/products/cup/?variant=2&size=m'); // 'https://shop.example/products/cup?size=m'
 * ```
 */
export function pageKey(signed: string): string | null {
  const url = normalizePageUrl(signed);
  return url === null ? null : keyOf(url, url.route);
}

/**
 * The keys of signed addresses that a visited page may equal: with its route, and without.
 *
 * @returns an empty list if it is not a page address
 * @example
 * ```ts
 * import { pageKeys } from '@touchstone/certificate/binding';
 *
 * pageKeys('https://shop.example/cup?gclid=7'); // ['https://shop.example/cup']
 * ```
 */
export function pageKeys(page: string): string[] {
  const url = normalizePageUrl(page);
  if (url === null) return [];
  return url.route === '' ? [keyOf(url, '')] : [keyOf(url, url.route), keyOf(url, '')];
}

function keyOf({ base, parameters }: NormalizedUrl, route: string): string {
  const kept = parameters.filter((pair) => !IGNORED_PARAMETER.test(parameterName(pair)));
  return textOf(base.replace(COLLECTION, ''), kept, route);
}

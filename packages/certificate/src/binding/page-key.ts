import { COLLECTION, IGNORED_PARAMETER } from './compare-page-urls.ts';
import { type NormalizedUrl, normalizePageUrl, parameterName, textOf } from './normalize-page-url.ts';

/**
 * A key by which to keep signed page addresses, so that those equal to a visited one can be found: any two addresses for
 * which `comparePageUrls(signed, page)` is equal share it with one of `pageKeys(page)`. It holds whatever of the address no
 * page may lack or add; addresses that share a key need not be equal.
 *
 * @returns `null` for what is no page address
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
 * The keys under which the signed addresses that a visited page may be equal to are kept: with its route, and without.
 *
 * @returns none for what is no page address
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

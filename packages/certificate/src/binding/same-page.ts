import { comparePageUrls } from './compare-page-urls.ts';
import { parseWebUrl } from './hosts.ts';

/**
 * Whether the page that redirects led to is the requested one: equal by `comparePageUrls`, whichever of the two has the
 * parameters that only track a visitor or select a variant, or a collection. A redirect from http to https of one
 * address changes no page; one from https to http does.
 *
 * @example
 * ```ts
 * import { isRequestedPage } from '@touchstone/certificate/binding';
 *
 * isRequestedPage('http://shop.example/cup?utm_source=mail', 'https://shop.example/cup/'); // true
 * isRequestedPage('https://shop.example/seller/cup', 'https://shop.example/cup'); // false
 * ```
 */
export function isRequestedPage(requested: string, landing: string): boolean {
  if (requested === landing) return true;
  const asked = upgradedAs(requested, landing);
  return comparePageUrls(asked, landing).equal || comparePageUrls(landing, asked).equal;
}

/**
 * The requested address with https, if the landing has it.
 *
 * @example
 * ```ts
 * import { upgradedAs } from '@touchstone/certificate/binding';
 *
 * upgradedAs('http://shop.example/cup', 'https://shop.example/cup'); // 'https://shop.example/cup'
 * ```
 */
export function upgradedAs(requested: string, landing: string): string {
  const url = parseWebUrl(requested);
  if (url?.protocol !== 'http:' || parseWebUrl(landing)?.protocol !== 'https:') return requested;
  url.protocol = 'https:';
  return url.href;
}

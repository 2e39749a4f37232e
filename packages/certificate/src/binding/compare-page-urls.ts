import {
  MAX_PAGE_URL,
  type NormalizedUrl,
  type NormalizePage,
  normalizePageUrl,
  parameterName,
  textOf,
} from './normalize-page-url.ts';

/** Why two page addresses are not the same; each is a `Reason` of the checks. */
export type UrlReason =
  | 'ok'
  | 'url_too_long'
  | 'page_url_invalid'
  | 'signed_url_invalid'
  | 'url_credentials'
  | 'url_differs'
  | 'url_extra_parameter';

/** What comparing a signed page address with a visited one gives. */
export interface UrlComparison {
  readonly equal: boolean;
  /** `ok` when equal; else why not. */
  readonly reason: UrlReason;
  /** The signed address in its normal form, when the two differ. */
  readonly expected?: string;
  /** The visited address in its normal form, or the parameters that it has too many. */
  readonly actual?: string;
}

/**
 * Compares the signed address with that of the page: scheme, host, port, path, parameters and route. All that the
 * signed address carries counts. What the page adds counts too, but for parameters that only track or select, a
 * collection, and a fragment. When the two differ, both normal forms are in the result, and never any credentials.
 *
 * @param signed - at most `MAX_PAGE_URL` characters, like `page`; a longer one is equal to none
 * @param normalize - `normalizePageUrl`, or one of `createPageNormalizer`
 * @example
 * ```ts
 * import { comparePageUrls } from '@touchstone/certificate/binding';
 *
 * const signed = 'https://shop.example/products/cup';
 * comparePageUrls(signed, `${signed}/?variant=2#top`).equal; // true
 * comparePageUrls(`${signed}?variant=1`, `${signed}?variant=2`).reason; // 'url_differs'
 * comparePageUrls(signed, `${signed}?size=m`).reason; // 'url_extra_parameter'
 * ```
 */
export function comparePageUrls(
  signed: string,
  page: string,
  normalize: NormalizePage = normalizePageUrl,
): UrlComparison {
  const longest = Math.max(signed.length, page.length);
  if (longest > MAX_PAGE_URL) {
    const [expected, actual] = [`at most ${MAX_PAGE_URL} characters`, `${longest} characters`];
    return { equal: false, reason: 'url_too_long', expected, actual };
  }
  const expected = normalize(signed);
  const visited = normalize(page);
  if (visited === null) return { equal: false, reason: 'page_url_invalid', actual: page };
  if (expected === null) return { equal: false, reason: 'signed_url_invalid', expected: signed };
  if (visited.hasCredentials || expected.hasCredentials) {
    return { equal: false, reason: 'url_credentials', expected: expected.text };
  }
  if (expected.text === visited.text) return { equal: true, reason: 'ok' };
  const actual = withoutAdditions(visited, expected);
  if (expected.text === actual.text) return { equal: true, reason: 'ok' };
  const extra = extraParameters(expected, actual);
  if (extra.length === 0) {
    return { equal: false, reason: 'url_differs', expected: expected.text, actual: actual.text };
  }
  const found = `${actual.text} (extra: ${extra.join(', ')})`;
  return { equal: false, reason: 'url_extra_parameter', expected: expected.text, actual: found };
}

/** A collection in front of a product names the way the visitor came, not the page (Shopify). */
export const COLLECTION = /\/collections\/[^/]+(?=\/products\/)/;

/**
 * Parameters that only track a visitor or select a variant. The list is closed: of any other, `?id=1` and `?id=2` may
 * be two products.
 */
export const IGNORED_PARAMETER =
  /^(utm_.*|gclid|gad_.*|gbraid|wbraid|dclid|fbclid|msclkid|yclid|ttclid|twclid|li_fat_id|srsltid|igshid|mc_[ce]id|_hsenc|_hsmi|mkt_tok|_kx|_ga|_gl|ref|ref_src|variant|_pos|_sid|_ss|_psq|_fid|_v)$/;

/** The page's address without what a page may add; nothing of a kind that the signed address carries is dropped. */
function withoutAdditions(page: NormalizedUrl, signed: NormalizedUrl): NormalizedUrl {
  const base = COLLECTION.test(signed.base) ? page.base : page.base.replace(COLLECTION, '');
  const carried = new Set(signed.parameters.map(parameterName));
  const parameters = page.parameters.filter((pair) => {
    const name = parameterName(pair);
    return carried.has(name) || !IGNORED_PARAMETER.test(name);
  });
  const route = signed.route === '' ? '' : page.route;
  return { ...page, text: textOf(base, parameters, route), base, parameters, route };
}

/** Names of what the page's address has beyond the signed one, when that is all that differs. */
function extraParameters(signed: NormalizedUrl, page: NormalizedUrl): string[] {
  if (signed.base !== page.base || signed.route !== page.route) return [];
  const wanted = new Map<string, number>();
  for (const pair of signed.parameters) wanted.set(pair, (wanted.get(pair) ?? 0) + 1);
  const extra: string[] = [];
  for (const pair of page.parameters) {
    const count = wanted.get(pair) ?? 0;
    if (count === 0) extra.push(parameterName(pair));
    else wanted.set(pair, count - 1);
  }
  return [...wanted.values()].every((count) => count === 0) ? extra : [];
}

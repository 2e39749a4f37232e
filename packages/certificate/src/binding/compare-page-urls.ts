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

/** Result of comparing a signed page address with a visited one. */
export interface UrlComparison {
  readonly equal: boolean;
  /** `ok` if equal; otherwise why not. */
  readonly reason: UrlReason;
  /** The normalised signed address, if the two differ. */
  readonly expected?: string;
  /** The normalised visited address, with the names of any extra parameters. */
  readonly actual?: string;
}

/**
 * Compares the signed address with that of the page: scheme, host, port, path, parameters and route. Every part of the
 * signed address must match. The page may add only parameters that track a visitor or select a variant, a collection,
 * and a fragment. If the two differ, the result has both normal forms, never credentials.
 *
 * @param signed - at most `MAX_PAGE_URL` characters, like `page`; a longer address never matches
 * @param normalize - `normalizePageUrl`, or a normalizer from `createPageNormalizer`
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

/** A collection in front of a product is the visitor's navigation path; the page is the same (Shopify). */
export const COLLECTION = /\/collections\/[^/]+(?=\/products\/)/;

/**
 * Parameters that only track a visitor or select a variant. The list is closed: for any other parameter, `?id=1` and
 * `?id=2` may be different products.
 */
export const IGNORED_PARAMETER =
  /^(utm_.*|gclid|gad_.*|gbraid|wbraid|dclid|fbclid|msclkid|yclid|ttclid|twclid|li_fat_id|srsltid|igshid|mc_[ce]id|_hsenc|_hsmi|mkt_tok|_kx|_ga|_gl|ref|ref_src|variant|_pos|_sid|_ss|_psq|_fid|_v)$/;

/** The page's address without permitted additions; parts of a kind that the signed address also has are kept. */
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

/**
 * Names of the page's extra parameters; empty if anything else differs too. A signed parameter that is repeated differs: shops read the
 * last of several values, which may be that of another product.
 */
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
  const carried = new Set(signed.parameters.map(parameterName));
  const isWhole = [...wanted.values()].every((count) => count === 0);
  return isWhole && !extra.some((name) => carried.has(name)) ? extra : [];
}

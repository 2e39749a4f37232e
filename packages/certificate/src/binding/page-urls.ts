import { hostnameOf, parseWebUrl } from './hosts.ts';

/** Why two page addresses are not the same; each is a `Reason` of the checks. */
export type UrlReason =
  | 'ok'
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
 * Compares the signed address with that of the page: scheme, host, port, path, and every parameter that neither tracks
 * nor selects. When they differ, both normal forms are in the result, and never any credentials.
 *
 * @param normalize - `normalizePageUrl`, or one of `createPageNormalizer`
 * @example
 * ```ts
 * import { comparePageUrls } from '@touchstone/certificate/binding';
 *
 * const signed = 'https://shop.example/products/cup';
 * comparePageUrls(signed, `${signed}/?utm_source=mail#top`).equal; // true
 * comparePageUrls(signed, `${signed}?size=m`).reason; // 'url_extra_parameter'
 * ```
 */
export function comparePageUrls(
  signed: string,
  page: string,
  normalize: NormalizePage = normalizePageUrl,
): UrlComparison {
  const expected = normalize(signed);
  const actual = normalize(page);
  if (actual === null) return { equal: false, reason: 'page_url_invalid', actual: page };
  if (expected === null) return { equal: false, reason: 'signed_url_invalid', expected: signed };
  if (actual.hasCredentials || expected.hasCredentials) {
    return { equal: false, reason: 'url_credentials', expected: expected.text };
  }
  if (expected.text === actual.text) return { equal: true, reason: 'ok' };
  const extra = extraParameters(expected, actual);
  if (extra.length === 0) {
    return { equal: false, reason: 'url_differs', expected: expected.text, actual: actual.text };
  }
  const found = `${actual.text} (extra: ${extra.join(', ')})`;
  return { equal: false, reason: 'url_extra_parameter', expected: expected.text, actual: found };
}

/** A page address in its normal form. */
export interface NormalizedUrl {
  /** The whole address, normalised; two pages are the same when these are equal. */
  readonly text: string;
  /** Without port. */
  readonly host: string;
  /** Scheme, host, port and path. */
  readonly base: string;
  /** `name=value` pairs that neither track nor select, sorted by name. */
  readonly parameters: readonly string[];
  /** The address carries a user name or password: it is equal to none. */
  readonly hasCredentials: boolean;
}

/** `normalizePageUrl`, or one of `createPageNormalizer`. */
export type NormalizePage = (text: string) => NormalizedUrl | null;

/**
 * Makes a `normalizePageUrl` for one verification, which keeps its results: the same two addresses come up again and
 * again.
 *
 * @example
 * ```ts
 * import { createPageNormalizer } from '@touchstone/certificate/binding';
 *
 * const normalize = createPageNormalizer();
 * normalize('https://shop.example/cup/') === normalize('https://shop.example/cup/'); // true
 * ```
 */
export function createPageNormalizer(): NormalizePage {
  const known = new Map<string, NormalizedUrl | null>();
  return (text) => {
    let page = known.get(text);
    if (page === undefined) {
      page = normalizePageUrl(text);
      known.set(text, page);
    }
    return page;
  };
}

/**
 * The normal form of a page address: WHATWG parsing, unreserved characters decoded (RFC 3986 section 6.2.2), without
 * fragment, default port, trailing slash, and parameters that only track or select.
 *
 * @returns `null` when it is not an absolute http or https URL
 * @example
 * ```ts
 * import { normalizePageUrl } from '@touchstone/certificate/binding';
 *
 * normalizePageUrl('HTTPS://shop.example:443/cup/?b=2&gclid=1&a=1')?.text; // 'https://shop.example/cup?a=1&b=2'
 * ```
 */
export function normalizePageUrl(text: string): NormalizedUrl | null {
  const url = parseWebUrl(text);
  if (url === null) return null;
  const port = url.port === '' ? '' : `:${url.port}`;
  const host = hostnameOf(url);
  const base = `${url.protocol}//${host}${port}${normalizePath(url.pathname)}`;
  const parameters = normalizeQuery(url.search);
  return {
    text: parameters.length === 0 ? base : `${base}?${parameters.join('&')}`,
    host,
    base,
    parameters,
    hasCredentials: url.username !== '' || url.password !== '',
  };
}

/** A collection in front of a product names the way the visitor came, not the page (Shopify). */
const COLLECTION = /\/collections\/[^/]+(?=\/products\/)/;

function normalizePath(path: string): string {
  const decoded = decodeUnreserved(path).replace(COLLECTION, '');
  return decoded.endsWith('/') ? decoded.slice(0, -1) : decoded;
}

const PERCENT_TRIPLET = /%[0-9a-f]{2}/gi;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** RFC 3986 section 6.2.2: only unreserved characters are decoded, so nothing changes its meaning. */
function decodeUnreserved(text: string): string {
  if (!text.includes('%')) return text; // the result is the same; saves time on nearly every address
  return text.replace(PERCENT_TRIPLET, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return UNRESERVED.test(character) ? character : triplet.toUpperCase();
  });
}

/**
 * Parameters that only track a visitor or select a variant. The list is closed: of any other, `?id=1` and `?id=2` may
 * be two products.
 */
const IGNORED_PARAMETER =
  /^(utm_.*|gclid|gad_.*|gbraid|wbraid|dclid|fbclid|msclkid|yclid|ttclid|twclid|li_fat_id|srsltid|igshid|mc_[ce]id|_hsenc|_hsmi|mkt_tok|_kx|_ga|_gl|ref|ref_src|variant|_pos|_sid|_ss|_psq|_fid|_v)$/;

function normalizeQuery(search: string): string[] {
  if (search === '') return []; // likewise
  return decodeUnreserved(search.slice(1))
    .split('&')
    .filter((pair) => pair !== '' && !IGNORED_PARAMETER.test(parameterName(pair)))
    .sort((a, b) => compareTexts(parameterName(a), parameterName(b)));
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function parameterName(pair: string): string {
  const end = pair.indexOf('=');
  return end === -1 ? pair : pair.slice(0, end);
}

/** Names of what the page's address has beyond the signed one, when that is all that differs. */
function extraParameters(signed: NormalizedUrl, page: NormalizedUrl): string[] {
  if (signed.base !== page.base) return [];
  const left = [...page.parameters];
  for (const parameter of signed.parameters) {
    const at = left.indexOf(parameter);
    if (at === -1) return [];
    left.splice(at, 1);
  }
  return left.map(parameterName);
}

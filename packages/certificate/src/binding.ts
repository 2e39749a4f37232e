/**
 * The only rules for whether two hosts, two page addresses or two product identifiers are the same
 * (decisions 8 and 9). Everything that compares them, on any arm, asks here.
 */
import type { Reason } from './verify/reasons.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Whether `text` is a UUID in its canonical form (RFC 9562 section 4), in either case.
 *
 * @example
 * ```ts
 * import { isUuid } from '@touchstone/certificate/binding';
 *
 * isUuid('0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6'); // true
 * isUuid('cup-1'); // false
 * ```
 */
export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text);
}

/**
 * Whether two product identifiers are the same; UUIDs compare without regard to case (RFC 9562).
 *
 * @example
 * ```ts
 * import { sameProductId } from '@touchstone/certificate/binding';
 *
 * sameProductId('0B54ECB8-6A0C-4D43-A2EE-AE49E0C8A0A6', '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6'); // true
 * ```
 */
export function sameProductId(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/**
 * The normal form of a bare hostname: IDNA to ASCII, lower case, one trailing dot dropped (decision 8).
 * `null` when `text` is anything more or less than a hostname: a port, a path, credentials, nothing at all.
 *
 * @example
 * ```ts
 * import { normalizeHost } from '@touchstone/certificate/binding';
 *
 * normalizeHost('Bücher.Example.'); // 'xn--bcher-kva.example'
 * normalizeHost('shop.example:443'); // null
 * ```
 */
export function normalizeHost(text: string): string | null {
  if (/[/\\?#@:\s%[\]]/.test(text)) return null;
  const host = hostOf(`http://${text}/`);
  return host === null || hasEmptyLabel(host) ? null : host;
}

/**
 * Whether a normalised host has an empty label (`a..b`). The URL parser lets those through; no
 * resolver takes them, and each dot that somebody drops makes another host of them.
 *
 * @example
 * ```ts
 * import { hasEmptyLabel } from '@touchstone/certificate/binding';
 *
 * hasEmptyLabel('shop..example'); // true
 * ```
 */
export function hasEmptyLabel(host: string): boolean {
  return `.${host}.`.includes('..');
}

/**
 * The normalised host of an absolute http or https URL, without its port; `null` for anything else.
 *
 * @example
 * ```ts
 * import { hostOf } from '@touchstone/certificate/binding';
 *
 * hostOf('https://SHOP.example:8443/products/cup'); // 'shop.example'
 * ```
 */
export function hostOf(url: string): string | null {
  const parsed = parseWebUrl(url);
  return parsed === null ? null : hostnameOf(parsed);
}

/**
 * Whether two normalised hosts are the same domain. An IP literal is nobody's domain, so it never matches.
 *
 * @example
 * ```ts
 * import { sameHost } from '@touchstone/certificate/binding';
 *
 * sameHost('shop.example', 'shop.example'); // true
 * sameHost('192.0.2.7', '192.0.2.7'); // false
 * ```
 */
export function sameHost(a: string | null, b: string | null): boolean {
  return a !== null && a === b && !isIpLiteral(a);
}

/**
 * Whether a signed domain, as it stands in a claim, is this normalised host.
 *
 * @example
 * ```ts
 * import { isDomainOf } from '@touchstone/certificate/binding';
 *
 * isDomainOf('Shop.Example', 'shop.example'); // true
 * isDomainOf('www.shop.example', 'shop.example'); // false
 * ```
 */
export function isDomainOf(domain: string, host: string | null): boolean {
  // a domain that is written like the host is in its normal form already, but for an empty label
  return sameHost(domain, host) ? !hasEmptyLabel(domain) : sameHost(normalizeHost(domain), host);
}

/**
 * Whether a normalised host is an IPv4 or IPv6 literal: only those are all digits and dots, or in brackets.
 *
 * @example
 * ```ts
 * import { isIpLiteral } from '@touchstone/certificate/binding';
 *
 * isIpLiteral('192.0.2.7'); // true
 * ```
 */
export function isIpLiteral(host: string): boolean {
  return host.startsWith('[') || /^[\d.]+$/.test(host);
}

/** What comparing a signed page address with a visited one gives. */
export interface UrlComparison {
  readonly equal: boolean;
  readonly reason: Reason;
  /** The signed address in its normal form, when the two differ. */
  readonly expected?: string;
  /** The visited address in its normal form, or the parameters that it has too many. */
  readonly actual?: string;
}

/**
 * Compares the signed address with that of the page, by decision 9. Both are told when they differ.
 *
 * @param normalize - `normalizePageUrl`, or one that remembers what it has normalised
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
  const told = `${actual.text} (extra: ${extra.join(', ')})`;
  return { equal: false, reason: 'url_extra_parameter', expected: expected.text, actual: told };
}

/** A page address in its normal form. */
export interface NormalizedUrl {
  /** The whole address, normalised; two pages are the same when these are equal. */
  readonly text: string;
  readonly host: string;
  /** Scheme, host, port and path. */
  readonly base: string;
  /** `name=value` pairs that neither track nor select, sorted by name. */
  readonly parameters: readonly string[];
  readonly hasCredentials: boolean;
}

export type NormalizePage = (text: string) => NormalizedUrl | null;

/**
 * `normalizePageUrl` for one verification, in which the same two addresses come up again and again.
 *
 * @example
 * ```ts
 * import { rememberingPages } from '@touchstone/certificate/binding';
 *
 * const normalize = rememberingPages();
 * normalize('https://shop.example/cup/') === normalize('https://shop.example/cup/'); // true
 * ```
 */
export function rememberingPages(): NormalizePage {
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
 * The normal form of a page address (decision 9); `null` when it is not an absolute http or https URL.
 *
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

function parseWebUrl(text: string): URL | null {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  // Chromium takes hosts with a space or the like, percent-encoded; by the standard there is no such host
  if (url.hostname.includes('%')) return null;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

function hostnameOf(url: URL): string {
  const host = url.hostname;
  return host.endsWith('.') ? host.slice(0, -1) : host;
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
  if (!text.includes('%')) return text; // decides nothing, and saves time on nearly every address
  return text.replace(PERCENT_TRIPLET, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return UNRESERVED.test(character) ? character : triplet.toUpperCase();
  });
}

/** Parameters that only track a visitor or select a variant; dropping them names the same page. */
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

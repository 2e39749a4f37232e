import { hostnameOf, parseWebUrl } from './hosts.ts';

/** Characters; a longer address is not treated as a product page and never matches. */
export const MAX_PAGE_URL = 8192;

/** A normalised page address. */
export interface NormalizedUrl {
  /** The whole address, normalised; two pages are the same if these are equal. */
  readonly text: string;
  /** Without port. */
  readonly host: string;
  /** Scheme, host, port and path. */
  readonly base: string;
  /** `name=value` pairs, sorted by name. */
  readonly parameters: readonly string[];
  /** A fragment that selects the page on the client, `#!…` or `#/…`; otherwise empty. */
  readonly route: string;
  /** The address has a user name or password; such an address never matches. */
  readonly hasCredentials: boolean;
}

/** `normalizePageUrl`, or a normalizer from `createPageNormalizer`. */
export type NormalizePage = (text: string) => NormalizedUrl | null;

/**
 * Creates a `normalizePageUrl` that caches its results, for one verification, which normalises the same two addresses
 * repeatedly.
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
 * Normalises a page address: WHATWG parsing, unreserved characters decoded (RFC 3986 section 6.2.2), parameters sorted
 * by name; default port, one trailing slash and a fragment that is not a route are dropped.
 *
 * @returns `null` if it is not an absolute http or https URL, or is longer than `MAX_PAGE_URL` characters
 * @example
 * ```ts
 * import { normalizePageUrl } from '@touchstone/certificate/binding';
 *
 * normalizePageUrl('HTTPS://shop.example:443/cup/?b=2&a=1#top')?.text; // 'https://shop.example/cup?a=1&b=2'
 * ```
 */
export function normalizePageUrl(text: string): NormalizedUrl | null {
  const url = text.length > MAX_PAGE_URL ? null : parseWebUrl(text);
  if (url === null) return null;
  const port = url.port === '' ? '' : `:${url.port}`;
  const host = hostnameOf(url);
  const base = `${url.protocol}//${host}${port}${normalizePath(url.pathname)}`;
  const parameters = normalizeQuery(url.search);
  const route = isRoute(url.hash) ? decodeUnreserved(url.hash) : '';
  const hasCredentials = url.username !== '' || url.password !== '';
  return { text: textOf(base, parameters, route), host, base, parameters, route, hasCredentials };
}

/**
 * The address a browser shows after a redirect from `asked` to `landed`: it keeps the route of `asked`, unless `landed`
 * has a fragment (RFC 9110 section 10.2.2). Servers never receive the fragment.
 *
 * @example
 * ```ts
 * import { withRouteOf } from '@touchstone/certificate/binding';
 *
 * withRouteOf('https://shop.example/', 'http://shop.example/#!/cup'); // 'https://shop.example/#!/cup'
 * ```
 */
export function withRouteOf(landed: string, asked: string): string {
  if (landed.includes('#') || !asked.includes('#') || !URL.canParse(asked)) return landed;
  const { hash } = new URL(asked);
  return isRoute(hash) ? landed + hash : landed;
}

function isRoute(hash: string): boolean {
  return hash.startsWith('#!') || hash.startsWith('#/');
}

/** Assembles the normal form. */
export function textOf(base: string, parameters: readonly string[], route: string): string {
  return parameters.length === 0 ? base + route : `${base}?${parameters.join('&')}${route}`;
}

/** A single trailing slash does not change the page; two do. */
function normalizePath(path: string): string {
  const decoded = decodeUnreserved(path);
  return decoded.endsWith('/') && !decoded.endsWith('//') ? decoded.slice(0, -1) : decoded;
}

const PERCENT_TRIPLET = /%[0-9a-f]{2}/gi;
const UNRESERVED = /[A-Za-z0-9\-._~]/;
/** A `%` without two hexadecimal digits, with any triplets that would complete it once decoded; or a triplet. */
const PERCENT = /%(?![0-9a-f]{2})[0-9a-f]?(?:%[0-9a-f]{2})*|%[0-9a-f]{2}/gi;

/** RFC 3986 section 6.2.2: decodes only unreserved characters, so the meaning is unchanged. */
function decodeUnreserved(text: string): string {
  if (!text.includes('%')) return text; // fast path for nearly every address
  return text.replace(PERCENT, (found) => {
    const isTriplet = found.length === 3;
    const character = isTriplet ? String.fromCharCode(Number.parseInt(found.slice(1), 16)) : '';
    if (UNRESERVED.test(character)) return character;
    return found.replace(PERCENT_TRIPLET, (triplet) => triplet.toUpperCase());
  });
}

function normalizeQuery(search: string): string[] {
  if (search === '') return []; // fast path
  return decodeUnreserved(search.slice(1))
    .split('&')
    .filter((pair) => pair !== '')
    .toSorted((a, b) => compareTexts(parameterName(a), parameterName(b)));
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The name in a `name=value` pair. */
export function parameterName(pair: string): string {
  const end = pair.indexOf('=');
  return end === -1 ? pair : pair.slice(0, end);
}

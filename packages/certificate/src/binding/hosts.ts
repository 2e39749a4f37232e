/**
 * Normalises a bare hostname by the WHATWG URL standard, as browsers do: IDNA to ASCII, lower case, one trailing dot
 * dropped. `www.` is a different host.
 *
 * @returns `null` if `text` is not exactly a hostname: it is empty, or has a port, path or credentials
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
 * Whether a normalised host has an empty label (`a..b`). The URL parser accepts those, but no resolver does, and
 * software that drops a dot would turn them into another host.
 *
 * @param host - as returned by `normalizeHost` or `hostOf`
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
 * The normalised host of an absolute http or https URL, without its port.
 *
 * @returns `null` for anything else
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
 * Whether two normalised hosts are the same domain. An IP literal never matches: control of an IP address cannot be
 * proven lastingly.
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
 * Whether a signed domain, as written in a claim, is this normalised host.
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
  // a domain equal to the normalised host is itself normalised, except for empty labels
  return sameHost(domain, host) ? !hasEmptyLabel(domain) : sameHost(normalizeHost(domain), host);
}

/**
 * Whether a normalised host is an IPv4 or IPv6 literal: digits and dots only, or in brackets.
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

/** Parses an absolute http or https URL; `null` for anything else. */
export function parseWebUrl(text: string): URL | null {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  // Chromium accepts hosts with spaces and similar characters, percent-encoded; the standard rejects them
  if (url.hostname.includes('%')) return null;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

/** The normalised host of a parsed URL, without its port. */
export function hostnameOf(url: URL): string {
  const host = url.hostname;
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

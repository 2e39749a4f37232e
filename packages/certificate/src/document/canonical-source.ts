import { isUuid } from '../binding/product-ids.ts';
import { describeValue } from '../verify/describe.ts';

/** Spec "EntryPoint". */
export interface EntryPoint {
  readonly '@type': 'EntryPoint';
  readonly description: string;
  readonly url: string;
  readonly httpMethod: string;
}

/**
 * Address of the certificate itself, which a page's document must point to.
 *
 * @example
 * ```ts
 * import { canonicalSource } from '@touchstone/certificate';
 *
 * canonicalSource('https://certificates.example/c').httpMethod; // 'GET'
 * ```
 */
export function canonicalSource(url: string): EntryPoint {
  return {
    '@type': 'EntryPoint',
    description: 'Canonical source for this certificate.',
    httpMethod: 'GET',
    url,
  };
}

/** Result of `parseCanonicalSource`. */
export type CanonicalSourceReading =
  | { readonly kind: 'ok'; readonly productId: string }
  | { readonly kind: 'invalid'; readonly code: CanonicalSourceFault; readonly detail: string }
  /** `host` is an origin if the host alone equals that of a trusted service. */
  | { readonly kind: 'mismatch'; readonly code: CanonicalSourceMismatch; readonly host: string };

/** Why a canonical source does not identify a product. */
export type CanonicalSourceFault =
  | 'canonical_source_missing'
  | 'canonical_source_url_invalid'
  | 'canonical_source_not_https'
  | 'canonical_source_method'
  | 'canonical_source_path';

/** What differs from a trusted service: the host, or the scheme (https, at the host of a service trusted over http). */
export type CanonicalSourceMismatch = 'canonical_host_foreign' | 'canonical_scheme_foreign';

const PRODUCT_PATH = /^\/api\/v1\/mc4p\/products\/([^/]+)\/certificate$/;

/**
 * Reads the product that a certificate node points to. The id comes only from `canonicalSource.url`, so that document
 * and check cannot refer to different products, and only from an address of the service itself. Never fetches anything.
 *
 * @param node - a node as found on a page; untrusted
 * @param baseUrls - the service's own base addresses, current and former: pages outlive a service's name
 * @example
 * ```ts
 * import { parseCanonicalSource } from '@touchstone/certificate';
 * import { createTestIssuer, TEST_ISSUER } from '@touchstone/certificate/testing';
 *
 * const node = await (await createTestIssuer()).certificate();
 * parseCanonicalSource(node, [TEST_ISSUER]).kind; // 'ok'
 * parseCanonicalSource(node, ['https://other.example']).kind; // 'mismatch'
 * ```
 */
export function parseCanonicalSource(node: unknown, baseUrls: readonly string[]): CanonicalSourceReading {
  const source = member(member(node, 'svc:status'), 'canonicalSource');
  const text = member(source, 'url');
  if (typeof text !== 'string') return invalid('canonical_source_missing', 'svc:status.canonicalSource.url');
  if (!URL.canParse(text)) return invalid('canonical_source_url_invalid', text);
  const url = new URL(text);
  const bases = baseUrls.filter((base) => URL.canParse(base)).map((base) => new URL(base));
  const sameHost = bases.filter((base) => base.host === url.host);
  if (url.protocol !== 'https:' && !bases.some((base) => base.protocol === url.protocol)) {
    return invalid('canonical_source_not_https', text);
  }
  if (sameHost.length === 0) return { kind: 'mismatch', code: 'canonical_host_foreign', host: url.host };
  if (!sameHost.some((base) => base.protocol === url.protocol)) {
    // https at the host of an http service is another issuer; the origin is returned, since the hosts are equal
    if (url.protocol === 'https:')
      return { kind: 'mismatch', code: 'canonical_scheme_foreign', host: url.origin };
    return invalid('canonical_source_not_https', text);
  }
  const method = member(source, 'httpMethod');
  if (method !== undefined && method !== 'GET')
    return invalid('canonical_source_method', describeValue(method));
  return productIn(url, sameHost) ?? invalid('canonical_source_path', text);
}

function productIn(url: URL, bases: readonly URL[]): CanonicalSourceReading | null {
  if (url.username !== '' || url.password !== '' || url.search !== '') return null;
  for (const base of bases) {
    const prefix = base.pathname.replace(/\/$/, '');
    if (!url.pathname.startsWith(prefix)) continue;
    const productId = PRODUCT_PATH.exec(url.pathname.slice(prefix.length))?.[1];
    if (productId !== undefined && isUuid(productId)) {
      return { kind: 'ok', productId: productId.toLowerCase() };
    }
  }
  return null;
}

function invalid(code: CanonicalSourceFault, detail: string): CanonicalSourceReading {
  return { kind: 'invalid', code, detail: detail.slice(0, 200) };
}

function member(node: unknown, name: string): unknown {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return undefined;
  return Object.hasOwn(node, name) ? (node as Record<string, unknown>)[name] : undefined;
}

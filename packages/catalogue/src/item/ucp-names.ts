/** The names of a service in UCP (Universal Commerce Protocol), which are made from its host. */
export interface UcpNames {
  /** Of its extension, and the key of a certificate in `metadata` of a product or variant. */
  readonly name: string;
  /** The key of its statements in `signals`. */
  readonly signal: string;
}

/** As in UCP's `reverse_domain_name.json`. */
const REVERSED = /^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?)+$/;
/** Names that nobody can register (RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476, and ICANN's `internal`). */
const UNREGISTRABLE = /(?:^|\.)(?:localhost|local|internal|invalid|onion|alt|home\.arpa)$/;

/**
 * The names that the service at an address may use in UCP, by the protocol's rules on who owns a namespace: the labels of its host in
 * reverse, then what is named.
 *
 * @param baseUrl - address of the service that issues certificates
 * @returns `reason`, a sentence, if it has none: over plain http, in a folder or on a port of a host that others use too, without a
 *   domain name
 * @example
 * ```ts
 * import { ucpNames } from '@touchstone/catalogue';
 *
 * ucpNames('https://certs.example.com').name; // 'com.example.certs.shopping.product_certificate'
 * ucpNames('http://127.0.0.1:8787').reason; // 'A name in UCP needs an address with https.'
 * ```
 */
export function ucpNames(
  baseUrl: string,
): (UcpNames & { readonly reason?: never }) | { readonly name?: never; readonly reason: string } {
  const url = URL.parse(baseUrl);
  if (url?.protocol !== 'https:') return { reason: 'A name in UCP needs an address with https.' };
  const { hostname, port, pathname } = url;
  if (port !== '')
    return {
      reason: `A name in UCP has no port, so that whoever has another port of ${hostname} would have the same: serve it on port 443.`,
    };
  if (pathname !== '/')
    return {
      reason: `A name in UCP is that of a whole host, whose profile is at /.well-known/ucp: serve it without the path ${pathname}.`,
    };
  const host = hostname.replace(/\.$/, '');
  const labels = host.split('.');
  if (host.startsWith('[') || /^[\d.]+$/.test(host))
    return { reason: `A name in UCP is made from a domain name: ${host} is an IP address.` };
  if (labels.length < 2 || UNREGISTRABLE.test(host))
    return { reason: `A name in UCP is made from a registered domain name: ${host} is none.` };
  const reversed = labels.toReversed().join('.');
  if (!REVERSED.test(reversed)) return { reason: `UCP permits no name with the host ${host}.` };
  return {
    name: `${reversed}.shopping.product_certificate`,
    signal: `${reversed}.shopping.product_verification`,
  };
}

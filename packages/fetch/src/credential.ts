import { printable } from '@touchstone/certificate/text';

/**
 * Something secret that goes out with a request: a key, a token, a signature, or an address or body that contains one. It
 * goes to the origin for which it was given and to no other, over https only (http to this machine excepted), and never
 * along a redirect. SECURITY.md lists all of them.
 *
 * @example
 * ```ts
 * import { Credential } from '@touchstone/fetch/credential';
 *
 * const credential = new Credential('https://shop.example/wp-json', { authorization: 'Basic …' });
 * credential.headersFor(new URL('https://shop.example/wp-json/wc/v3/products')).authorization; // 'Basic …'
 * ```
 */
export class Credential {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly #headers: Readonly<Record<string, string>>;

  /**
   * @param address - an address of the origin
   * @param headers - absent: the secret is in the address or the body of the requests
   */
  constructor(address: string, headers: Readonly<Record<string, string>> = {}) {
    this.origin = new URL(address).origin;
    this.#headers = headers;
  }

  /**
   * The headers for a request to this address.
   *
   * @param addresses - IP addresses to which the request may be connected, if the caller resolves names itself
   * @throws CredentialRefused
   */
  headersFor(url: URL, addresses?: readonly string[]): Readonly<Record<string, string>> {
    if (url.origin !== this.origin) throw new CredentialRefused('other_origin', this.origin, url.origin);
    if (!isConfidential(url, addresses)) throw new CredentialRefused('no_tls', this.origin, url.origin);
    return this.#headers;
  }
}

/**
 * A credential must not be sent to this address. The message contains origins only.
 *
 * @example
 * ```ts
 * import { CredentialRefused } from '@touchstone/fetch/credential';
 *
 * new CredentialRefused('no_tls', 'http://shop.example', 'http://shop.example').code; // 'no_tls'
 * ```
 */
export class CredentialRefused extends Error {
  override readonly name = 'CredentialRefused';
  readonly code: 'other_origin' | 'no_tls';

  constructor(code: CredentialRefused['code'], origin: string, asked: string) {
    super(
      code === 'no_tls'
        ? `A credential for ${origin} is sent over https only, or to this machine.`
        : `A credential for ${origin} is not sent to ${printable(asked)}.`,
    );
    this.code = code;
  }
}

/**
 * Whether nobody on the network path can read a request to this address: https, or http that does not leave this machine.
 *
 * @param addresses - as for `headersFor`; without them, only names that always are this machine count, which excludes
 *   `*.localhost`: not every system resolves it without asking a name server
 * @example
 * ```ts
 * import { isConfidential } from '@touchstone/fetch/credential';
 *
 * isConfidential(new URL('http://127.0.0.1:8787')); // true
 * isConfidential(new URL('http://shop.example')); // false
 * ```
 */
export function isConfidential(url: URL, addresses: readonly string[] = [url.hostname]): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && addresses.length > 0 && addresses.every(isThisMachine);
}

/** RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3; of a URL, the host is in its normal form. */
function isThisMachine(host: string): boolean {
  return /^(?:localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

/** Where the service's addresses are; everything a document needs to know of its issuer. */
export interface Addresses {
  /** Base address of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** JSON-LD namespace behind the prefix `svc`. */
  readonly namespaceUrl: string;
}

/**
 * `@context` of every certificate: schema.org and the prefix `svc` (spec "Resources").
 *
 * @example
 * ```ts
 * import { jsonLdContext } from '@touchstone/certificate/issue';
 *
 * jsonLdContext({ baseUrl: 'https://certificates.example', namespaceUrl: 'https://certificates.example/ns#' })[0]; // 'https://schema.org'
 * ```
 */
export function jsonLdContext({
  namespaceUrl,
}: Addresses): readonly ['https://schema.org', { readonly svc: string }] {
  return ['https://schema.org', { svc: namespaceUrl }];
}

/** Where the public keys are (spec, Endpoints 5). */
export function jwksUrl(baseUrl: string): string {
  return `${baseUrl}/api/v1/.well-known/jwks.json`;
}

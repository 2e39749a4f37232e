/** Where the service's addresses are; everything a document needs to know of its issuer. */
export interface Addresses {
  /** Base address of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** JSON-LD namespace behind the prefix `svc`. */
  readonly namespaceUrl: string;
}

/** `@context` of every certificate: schema.org and the prefix `svc` (spec "Resources"). */
export function jsonLdContext({ namespaceUrl }: Addresses): readonly [string, { readonly svc: string }] {
  return ['https://schema.org', { svc: namespaceUrl }];
}

/** Where the public keys are (spec, Endpoints 5). */
export function jwksUrl(baseUrl: string): string {
  return `${baseUrl}/api/v1/.well-known/jwks.json`;
}

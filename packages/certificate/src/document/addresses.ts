/** Addresses of the issuing service that its documents contain. */
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

/**
 * Path of a product certificate under the base address (spec, Endpoints 1).
 *
 * @example
 * ```ts
 * import { productCertificatePath } from '@touchstone/certificate';
 *
 * productCertificatePath('0b54'); // '/api/v1/mc4p/products/0b54/certificate'
 * ```
 */
export function productCertificatePath(productId: string): string {
  return `/api/v1/mc4p/products/${productId}/certificate`;
}

/**
 * Path of an asset certificate under the base address (spec, Endpoints 2).
 *
 * @example
 * ```ts
 * import { assetCertificatePath } from '@touchstone/certificate';
 *
 * assetCertificatePath('6a1d'); // '/api/v1/mc4p/assets/6a1d/certificate'
 * ```
 */
export function assetCertificatePath(assetId: string): string {
  return `/api/v1/mc4p/assets/${assetId}/certificate`;
}

/**
 * Path of an image-keyed certificate under the base address (spec, Endpoints 6).
 *
 * @example
 * ```ts
 * import { imageCertificatePath } from '@touchstone/certificate/issue';
 *
 * imageCertificatePath('6a1d'); // '/api/v1/mc4p/6a1d/certificate'
 * ```
 */
export function imageCertificatePath(imageId: string): string {
  return `/api/v1/mc4p/${imageId}/certificate`;
}

/**
 * Address of a product's verify endpoint (spec, Endpoints 3).
 *
 * @example
 * ```ts
 * import { verifyUrl } from '@touchstone/certificate/issue';
 *
 * verifyUrl('https://c.example', '0b54'); // 'https://c.example/api/v1/mc4p/products/0b54/verify'
 * ```
 */
export function verifyUrl(baseUrl: string, productId: string): string {
  return `${baseUrl}/api/v1/mc4p/products/${productId}/verify`;
}

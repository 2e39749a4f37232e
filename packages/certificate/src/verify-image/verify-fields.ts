import { comparePageUrls } from '../binding/compare-page-urls.ts';
import { sameProductId } from '../binding/product-ids.ts';

/** The values that an image is bound to and that a field check can compare. */
export interface ImageBinding {
  readonly imageId: string;
  readonly productId: string;
  /** The merchant platform's own identifier; depending on `platform` also `shopifyProductId` or `woocommerceProductId`. */
  readonly externalProductId: string;
  readonly productUrl: string;
  readonly storeUrl: string;
  readonly imageUrl: string;
  readonly platform: 'shopify' | 'woocommerce' | 'custom';
  readonly sku?: string;
  readonly gtin?: string;
}

type Comparison = (signed: string, asked: string) => boolean;

interface BoundField {
  readonly valueOf: (binding: ImageBinding) => string | undefined;
  readonly same: Comparison;
}

const exact: Comparison = (signed, asked) => signed === asked;
const sameUrl: Comparison = (signed, asked) => comparePageUrls(signed, asked).equal;

/** The closed table of `verifyField` values (spec, Endpoints 6); any other is rejected. */
const BOUND_FIELDS: Readonly<Record<string, BoundField>> = {
  productId: { valueOf: ({ productId }) => productId, same: sameProductId },
  externalProductId: { valueOf: ({ externalProductId }) => externalProductId, same: exact },
  productUrl: { valueOf: ({ productUrl }) => productUrl, same: sameUrl },
  storeUrl: { valueOf: ({ storeUrl }) => storeUrl, same: sameUrl },
  sku: { valueOf: ({ sku }) => sku, same: exact },
  gtin: { valueOf: ({ gtin }) => gtin, same: exact },
  imageUrl: { valueOf: ({ imageUrl }) => imageUrl, same: exact },
  shopifyProductId: platformId('shopify'),
  woocommerceProductId: platformId('woocommerce'),
};

function platformId(platform: ImageBinding['platform']): BoundField {
  return {
    valueOf: (binding) => (binding.platform === platform ? binding.externalProductId : undefined),
    same: exact,
  };
}

/** Supported values of `verifyField`. */
export const VERIFY_FIELDS: readonly string[] = Object.keys(BOUND_FIELDS);

/**
 * Whether the image is bound to this value of the field; `null` if the field is not supported.
 *
 * @example
 * ```ts
 * import { fieldMatches } from '@touchstone/certificate/verify-image';
 *
 * const binding = {
 *   imageId: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01',
 *   productId: '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6',
 *   externalProductId: 'cup-1',
 *   productUrl: 'https://shop.example/products/cup',
 *   storeUrl: 'https://shop.example/',
 *   imageUrl: 'https://shop.example/cup-front.jpg',
 *   platform: 'custom',
 * } as const;
 * fieldMatches(binding, 'productUrl', 'https://shop.example/products/cup/'); // true
 * fieldMatches(binding, 'colour', 'red'); // null
 * ```
 */
export function fieldMatches(binding: ImageBinding, name: string, value: string): boolean | null {
  if (!Object.hasOwn(BOUND_FIELDS, name)) return null;
  const field = BOUND_FIELDS[name];
  const signed = field?.valueOf(binding);
  return field !== undefined && signed !== undefined && field.same(signed, value);
}

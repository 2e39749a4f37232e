import { comparePageUrls, sameProductId } from '../binding.ts';

/** What an image is bound to; the values a field check may ask for (decision 19). */
export interface ImageBinding {
  readonly imageId: string;
  readonly productId: string;
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

/** The closed table of `verifyField` values; whatever is not here is refused. */
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

/** The names that `verifyField` may have. */
export const VERIFY_FIELDS: readonly string[] = Object.keys(BOUND_FIELDS);

/** Whether the image is bound to this value of the field; `null` for a field that nothing is bound by. */
export function fieldMatches(binding: ImageBinding, name: string, value: string): boolean | null {
  if (!Object.hasOwn(BOUND_FIELDS, name)) return null;
  const field = BOUND_FIELDS[name];
  const signed = field?.valueOf(binding);
  return field !== undefined && signed !== undefined && field.same(signed, value);
}

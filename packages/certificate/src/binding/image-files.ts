import { hostOf } from './hosts.ts';
import { sameProductId } from './product-ids.ts';

/** SHA-256 hashes of the files of one image, hex. */
export interface ImageFiles {
  /** Hash of the file that carries the manifest. */
  readonly uhash: string;
  /** Hash of its source file; absent if the two files are the same. */
  readonly sourceUhash?: string | undefined;
}

/** `other`: neither the certified file nor its source file. */
export type ImageFile = 'certified' | 'source' | 'other';

/**
 * Determines which file of an image has this hash. Used for images of pages, for files served by shops and for offline
 * profiles.
 *
 * @param hash - SHA-256 of the bytes, hex
 * @example
 * ```ts
 * import { imageFileOf } from '@touchstone/certificate/binding';
 *
 * imageFileOf('aa', { uhash: 'bb', sourceUhash: 'aa' }); // 'source'
 * ```
 */
export function imageFileOf(hash: string, { uhash, sourceUhash }: ImageFiles): ImageFile {
  if (hash === uhash) return 'certified';
  return hash === sourceUhash ? 'source' : 'other';
}

/** Label of the assertion in images signed by the service: the store, product and page of the image. */
export const PRODUCT_ASSERTION = 'org.touchstone.product';

/** The expected owner of an image. */
export interface ImageOwner {
  readonly productId: string;
  /** Normalised hosts of its store. */
  readonly hosts: readonly string[];
}

/**
 * The host of the store that the service signed an image for, if it is not the owner's. A store is identified by the
 * product or by any of its hosts, since a shop may show one image with several products.
 *
 * @param assertions - of a manifest that validates
 * @returns `null` if no assertion names another store
 * @example
 * ```ts
 * import { otherStoreOf, PRODUCT_ASSERTION } from '@touchstone/certificate/binding';
 *
 * const data = { productId: 'cup', productUrl: 'https://shop.example/cup', storeUrl: 'https://shop.example' };
 * const assertions = [{ label: PRODUCT_ASSERTION, data }];
 * otherStoreOf(assertions, { productId: 'mug', hosts: ['thief.example'] }); // 'shop.example'
 * otherStoreOf(assertions, { productId: 'mug', hosts: ['shop.example'] }); // null
 * ```
 */
export function otherStoreOf(
  assertions: readonly { readonly label: string; readonly data: unknown }[],
  owner: ImageOwner,
): string | null {
  for (const { label, data } of assertions) {
    if (label !== PRODUCT_ASSERTION && !label.startsWith(`${PRODUCT_ASSERTION}__`)) continue;
    const { productId, productUrl, storeUrl } = (data ?? {}) as Partial<Record<string, unknown>>;
    if (typeof productId === 'string' && sameProductId(productId, owner.productId)) continue;
    const named = [storeUrl, productUrl]
      .map((url) => (typeof url === 'string' ? hostOf(url) : null))
      .filter((host) => host !== null);
    const [first] = named;
    if (first !== undefined && !named.some((host) => owner.hosts.includes(host))) return first;
  }
  return null;
}

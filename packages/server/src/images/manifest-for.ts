import type { ManifestToSign } from '@touchstone/image';
import { VERSION } from '../platform/version.ts';
import type { ImageTask } from './image-task.ts';

/** Label of what we assert of an image: whose it is, and on which product and page it stands (C2PA 2.1, 6.2). */
const PRODUCT_ASSERTION = 'org.touchstone.product';

/** The manifest that we sign into an image: it was published as it is, by its store, for a product. */
export function manifestFor({ product, store, imageId, url }: ImageTask, now: Date): ManifestToSign {
  return {
    title: product.name,
    claimGenerator: { name: 'Touchstone', version: VERSION },
    actions: [{ action: 'c2pa.published', when: now.toISOString() }],
    assertions: [
      {
        label: PRODUCT_ASSERTION,
        data: {
          imageId,
          imageUrl: url,
          productId: product.id,
          productName: product.name,
          productUrl: product.url,
          storeName: store.name,
          storeUrl: store.url,
        },
      },
    ],
  };
}

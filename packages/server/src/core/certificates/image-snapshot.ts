import type { ImageSnapshot, ProductSnapshot } from '@touchstone/certificate';

/**
 * The product data in an image's own proofs and documents. It is limited to these fields, because a change of another image or
 * of an attribute would otherwise require a new proof for every image of the product.
 */
export function snapshotOfImage(product: ProductSnapshot, image: ImageSnapshot): ProductSnapshot {
  const { productId, externalProductId, name, url, domain, storeName, storeUrl, control } = product;
  return {
    productId,
    externalProductId,
    name,
    url,
    domain,
    storeName,
    storeUrl,
    ...(control === undefined ? {} : { control }),
    attributes: [],
    images: [image],
  };
}

/** The image as it was recorded with its proof: documents are rendered from that, so that every node answers the same bytes. */
export function imageIn(recorded: ProductSnapshot, imageId: string): ImageSnapshot {
  const image = recorded.images.find((one) => one.imageId === imageId);
  if (image === undefined) throw new Error(`the recorded snapshot of image ${imageId} does not hold it`);
  return image;
}

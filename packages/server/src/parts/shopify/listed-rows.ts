import { readCatalogue } from '@touchstone/catalogue';
import { type CheckedRow, checkRow } from '../../core/registry/products/read-rows.ts';
import type { ProductNode } from './queries.ts';

/** A product of a shop as the registry would take it, or why it cannot. */
export interface ListedProduct {
  /** Shopify's number. */
  readonly id: string;
  readonly checked?: CheckedRow;
  readonly failure?: string;
}

/** The rows of products, by the reader of the storefront's `/products.json`. */
export async function listedRows(
  nodes: readonly ProductNode[],
  storefront: string,
): Promise<ListedProduct[]> {
  if (nodes.length === 0) return [];
  const found = new Map<string, Omit<ListedProduct, 'id'>>();
  const catalogue = JSON.stringify({ products: nodes.map(asListed) });
  for await (const row of readCatalogue(catalogue, { storeUrl: storefront, shape: 'shopify-json' })) {
    if ('product' in row) found.set(row.product.externalProductId, { checked: checkRow(row.product) });
    else if (row.problem.externalProductId !== undefined)
      found.set(row.problem.externalProductId, { failure: row.problem.reason });
  }
  return nodes.map(({ legacyResourceId: id }) => ({ id, ...found.get(id) }));
}

/** The product in the form of the storefront's `/products.json`, for the reader of that format. */
function asListed(node: ProductNode) {
  return {
    id: node.legacyResourceId,
    handle: node.handle,
    title: node.title,
    vendor: node.vendor,
    product_type: node.productType,
    status: node.status,
    published_at: node.onlineStoreUrl,
    images: node.media.nodes.flatMap(({ id, image }) =>
      image == null ? [] : [{ id: id.slice(id.lastIndexOf('/') + 1), src: image.url }],
    ),
    variants: node.variants.nodes,
  };
}

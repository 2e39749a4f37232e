import { request } from './load.ts';
import type { Service } from './server.ts';

export interface Shop {
  readonly storeId: string;
  readonly merchantId: string;
  readonly productIds: readonly string[];
}

const ROWS_AT_ONCE = 500;

/** Adds a shop with products, each with a number of images that are not scanned. */
export async function addShop(
  { call }: Pick<Service, 'call'>,
  products: number,
  imagesOfEach = 0,
): Promise<Shop> {
  const merchant = await call('POST', '/registry/merchants', { name: 'Potter', planCapacity: products });
  const address = { merchantId: merchant.id, name: 'Potter', url: 'https://shop.example/' };
  const store = await call('POST', '/registry/stores', address);
  const productIds: string[] = [];
  for (let from = 0; from < products; from += ROWS_AT_ONCE) {
    const length = Math.min(ROWS_AT_ONCE, products - from);
    const rows = Array.from({ length }, (_, index) => productRow(from + index, imagesOfEach));
    const { results } = await call('PUT', `/registry/stores/${store.id}/products`, rows);
    productIds.push(...(results as { id: string }[]).map(({ id }) => id));
  }
  return { storeId: String(store.id), merchantId: String(merchant.id), productIds };
}

function productRow(number: number, images: number) {
  return {
    externalProductId: `cup-${number}`,
    name: `Cup number ${number}`,
    url: `https://shop.example/products/cup-${number}`,
    sku: `CUP-${number}`,
    brand: 'Potter',
    images: Array.from({ length: images }, (_, index) => ({
      url: `https://cdn.shop.example/cup-${number}-${index}.jpg`,
    })),
  };
}

export function certificatePath(productId: string): string {
  return `/api/v1/mc4p/products/${productId}/certificate`;
}

/** The data to verify a product. */
export interface CertifiedProduct {
  readonly productId: string;
  readonly pageUrl: string;
  readonly document: Record<string, unknown>;
}

/** Adds a shop with one product, and requests its certificate, so that it is cached. */
export async function certifiedShop(service: Service): Promise<CertifiedProduct> {
  const { productIds } = await addShop(service, 1, 2);
  const productId = String(productIds[0]);
  const document = await service.call('GET', `/mc4p/products/${productId}/certificate`);
  return { productId, pageUrl: 'https://shop.example/products/cup-0', document };
}

export const VERIFIED = '"status":"verified"';

export function verifyRequest({ productId, pageUrl, document }: CertifiedProduct) {
  const path = `/api/v1/mc4p/products/${productId}/verify`;
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ productUrl: pageUrl, document });
  return { path, headers, body, request: request('POST', path, { headers, body, holds: VERIFIED }) };
}

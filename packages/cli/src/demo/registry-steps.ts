import type { ServiceClient } from '../client/service-client.ts';
import { PLAN_CAPACITY, PRODUCTS } from './cast.ts';
import { pictureNames } from './shop-pages.ts';
import type { DemoShop } from './shop-server.ts';

const REGISTRY = '/api/v1/registry';

/** A merchant with a store, as the registry knows them. */
export interface DemoStore {
  readonly merchantId: string;
  readonly storeId: string;
  readonly domain: { readonly hostname: string; readonly challenge: string };
}

/** Makes the merchant and its store. */
export async function createStore(service: ServiceClient, shop: DemoShop): Promise<DemoStore> {
  const merchant = await call<{ id: string }>(service, 'POST', '/merchants', {
    name: 'Demo Workshop',
    planCapacity: PLAN_CAPACITY,
  });
  const store = await call<{ id: string; domains: { hostname: string; challenge: string }[] }>(
    service,
    'POST',
    '/stores',
    { merchantId: merchant.id, name: 'The demo shop', url: shop.origin('shop') },
  );
  const domain = store.domains[0];
  if (domain === undefined) throw new Error('the new store has no domain');
  return { merchantId: merchant.id, storeId: store.id, domain };
}

/** Shows the challenge on the shop's host and has the service look at it. */
export async function proveDomain(service: ServiceClient, shop: DemoShop, store: DemoStore): Promise<string> {
  shop.showChallenge(store.domain.challenge);
  const path = `/stores/${store.storeId}/domains/${store.domain.hostname}/verify`;
  const proof = await call<{ verified: boolean; method?: string; nextStep?: string }>(service, 'POST', path);
  if (!proof.verified) throw new Error(`the domain was not proven: ${proof.nextStep}`);
  return proof.method ?? '';
}

/** Sends the catalogue in one call. @returns the service's id of each product, by handle */
export async function sendProducts(
  service: ServiceClient,
  shop: DemoShop,
  store: DemoStore,
): Promise<ReadonlyMap<string, string>> {
  const rows = PRODUCTS.map((product) => ({
    externalProductId: product.handle,
    url: `${shop.origin('shop')}/products/${product.handle}`,
    name: product.name,
    sku: product.handle.toUpperCase(),
    brand: 'Demo Workshop',
    visible: product.visible ?? true,
    images: pictureNames(product).map((file) => ({ url: `${shop.origin('shop')}/pictures/${file}` })),
  }));
  const { results } = await call<{ results: { externalProductId: string; id?: string; errors?: unknown }[] }>(
    service,
    'PUT',
    `/stores/${store.storeId}/products`,
    rows,
  );
  return new Map(
    results.map(({ externalProductId, id, errors }) => {
      if (id === undefined) throw new Error(`${externalProductId} was refused: ${JSON.stringify(errors)}`);
      return [externalProductId, id];
    }),
  );
}

export async function deleteProduct(service: ServiceClient, productId: string): Promise<void> {
  await service.answer({ method: 'DELETE', path: `${REGISTRY}/products/${productId}` });
}

/** One call of the registry. */
export async function call<T>(
  service: ServiceClient,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  path: string,
  body?: unknown,
): Promise<T> {
  return (await service.request({
    method,
    path: REGISTRY + path,
    ...(body === undefined ? {} : { body }),
  })) as T;
}

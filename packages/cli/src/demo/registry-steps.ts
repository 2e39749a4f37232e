import type { ServiceClient } from '../client.ts';
import { PLAN_CAPACITY, PRODUCTS } from './scenes.ts';
import { pictureNames } from './shop-pages.ts';
import type { DemoShop } from './shop-server.ts';

/** A store of a merchant, as the registry knows it. */
export interface DemoStore {
  readonly storeId: string;
  readonly domain: { readonly hostname: string; readonly challenge: string };
}

/** Makes the merchant and its store. */
export async function createStore(service: ServiceClient, shop: DemoShop): Promise<DemoStore> {
  const merchant = await service.call('createMerchant', {
    body: { name: 'Demo Workshop', planCapacity: PLAN_CAPACITY },
  });
  const body = { merchantId: merchant.id, name: 'The demo shop', url: shop.origin('shop') };
  const { id, domains } = await service.call('createStore', { body });
  const [domain] = domains;
  if (domain === undefined) throw new Error('the new store has no domain');
  return { storeId: id, domain };
}

/** Serves the challenge on the shop's host and has the service fetch it. */
export async function proveDomain(service: ServiceClient, shop: DemoShop, store: DemoStore): Promise<string> {
  shop.showChallenge(store.domain.challenge);
  const params = { store_id: store.storeId, hostname: store.domain.hostname };
  const proof = await service.call('verifyDomain', { params });
  if (!proof.verified) throw new Error(`the domain was not proven: ${proof.nextStep}`);
  return proof.method ?? '';
}

/** Sends the catalogue in one call. @returns the service's id of each product, by handle */
export async function sendProducts(
  service: ServiceClient,
  shop: DemoShop,
  store: DemoStore,
): Promise<ReadonlyMap<string, string>> {
  const body = PRODUCTS.map((product) => ({
    externalProductId: product.handle,
    url: `${shop.origin('shop')}/products/${product.handle}`,
    name: product.name,
    sku: product.handle.toUpperCase(),
    brand: 'Demo Workshop',
    visible: product.visible ?? true,
    images: pictureNames(product).map((file) => ({ url: `${shop.origin('shop')}/pictures/${file}` })),
  }));
  const { results } = await service.call('putProducts', { params: { store_id: store.storeId }, body });
  return new Map(
    results.map(({ externalProductId = '', id, errors }) => {
      if (id === undefined) throw new Error(`${externalProductId} was refused: ${JSON.stringify(errors)}`);
      return [externalProductId, id];
    }),
  );
}

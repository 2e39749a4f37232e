import { setTimeout as delay } from 'node:timers/promises';
import { getAssetCertificate, type ImageProgress, pathOf } from '@touchstone/contract';
import type { ServiceClient } from '../client.ts';
import type { Paint } from '../output/text.ts';
import { ALTERED, SIGNED } from './pictures.ts';
import { PLAN_CAPACITY, PRODUCTS } from './products.ts';
import { pictureNames } from './shop-pages.ts';
import type { DemoShop } from './shop-server.ts';

/** A merchant's store in the registry. */
interface DemoStore {
  readonly storeId: string;
  readonly domain: { readonly hostname: string; readonly challenge: string };
}

/** Creates the merchant and its store. */
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

/** Serves the challenge on the shop's host and has the service verify it. */
export async function proveDomain(service: ServiceClient, shop: DemoShop, store: DemoStore): Promise<string> {
  shop.showChallenge(store.domain.challenge);
  const params = { store_id: store.storeId, hostname: store.domain.hostname };
  const proof = await service.call('verifyDomain', { params });
  if (!proof.verified) throw new Error(`the domain was not proven: ${proof.nextStep}`);
  return proof.method ?? '';
}

/** Sends the catalogue in one call. @returns the service's product ids by handle */
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

/** Poll interval for the image progress, in milliseconds. */
const PACE = 100;

/** Turns on signing of images without a manifest, and waits until every image is scanned. */
export async function certifyImages(service: ServiceClient, store: DemoStore): Promise<ImageProgress> {
  const params = { store_id: store.storeId };
  await service.call('updateStore', { params, body: { signImages: true } });
  for (;;) {
    const counts = await service.call('getImageProgress', { params });
    if (counts.waiting === 0) return counts;
    await delay(PACE);
  }
}

/** The image results as text, and whether they are as expected. */
export function imageLines({ total, failed, certified, signedByUs, notServed }: ImageProgress, paint: Paint) {
  const own = certified + notServed - signedByUs;
  const right = failed === 0 && own === SIGNED.length && own + signedByUs === total - 1;
  const lines = [
    `${total} images scanned: ${own} certified by their own manifest (${SIGNED.join(', ')}),`,
    `  ${signedByUs} without one signed by the service with an untrusted development chain,`,
    `  ${total - own - signedByUs} not certified: ${ALTERED} was altered after it was signed, so its signature is not valid.`,
  ];
  const mark = right ? paint('good', 'as expected') : paint('bad', 'NOT AS EXPECTED');
  return { right, text: `${lines.join('\n')}  (${mark})` };
}

/** Addresses of the image certificates of a product. */
export async function imageAddresses(
  service: ServiceClient,
  productId: string,
): Promise<readonly { readonly asset: string; readonly hasC2PA: boolean }[]> {
  const { images } = await service.call('getProduct', { params: { product_id: productId } });
  return Promise.all(
    images.map(async ({ id }) => {
      const params = { asset_id: id };
      const asset = await service.call('getAssetCertificate', { params });
      const url = service.baseUrl + pathOf(getAssetCertificate, params);
      return { asset: url, hasC2PA: asset['svc:contentCredentials']?.hasC2PA === true };
    }),
  );
}

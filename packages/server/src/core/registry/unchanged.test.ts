import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDomain } from './domains/domains.ts';
import { getMerchant, patchMerchant } from './merchants/merchants.ts';
import { patchProduct } from './products/change-product.ts';
import { addImages, removeImage } from './products/product-images.ts';
import { getProduct } from './products/read-products.ts';
import { getStore, patchStore } from './stores/stores.ts';
import { type TestRegistry, type TestShop, testRegistry, testShop } from './testing.ts';

describe('a change without effect', () => {
  let registry: TestRegistry;
  let shop: TestShop;
  let productId: string;
  let now = new Date('2026-11-20T10:00:00Z');
  const attributes = [{ name: 'Colour', value: 'red' }];

  beforeAll(async () => {
    registry = { ...(await testRegistry()), clock: () => now };
    shop = await testShop(registry);
    const [made] = await shop.put(shop.row('cup', { sku: 'S', attributes }));
    productId = made?.id ?? '';
    now = new Date('2026-11-20T11:00:00Z');
  });
  afterAll(() => registry.close());

  /** Which transaction wrote each row: a row that is written anew is announced to all nodes. */
  const written = () =>
    Promise.all(
      ['merchants', 'stores', 'domains', 'products', 'images'].map((table) =>
        registry.database.query(`select '${table}' as of, xmin::text from ${table} order by 2`),
      ),
    );

  it('writes no row of any kind', async () => {
    const before = await written();
    const [merchant, store, product] = await Promise.all([
      getMerchant(registry, 'all', shop.merchantId),
      getStore(registry, 'all', shop.storeId),
      getProduct(registry, 'all', productId),
    ]);
    const { name, planCapacity, paused } = merchant;
    expect(await patchMerchant(registry, 'all', merchant.id, { name, planCapacity, paused })).toEqual({
      merchant,
      change: null,
    });
    const { url, platform, signImages, signRemoteManifests } = store;
    expect(
      await patchStore(registry, 'all', store.id, {
        name: store.name,
        url,
        platform,
        signImages,
        signRemoteManifests,
      }),
    ).toEqual({ store, change: null });
    await addDomain(registry, 'all', store.id, { hostname: shop.host });
    const same = {
      name: product.name,
      url: product.url,
      sku: 'S',
      gtin: null,
      visible: true,
      disabled: false,
    };
    for (const patch of [{}, { ...same, attributes }]) {
      expect(await patchProduct(registry, 'all', productId, patch)).toEqual(product);
    }
    const [image] = product.images;
    expect(await addImages(registry, 'all', productId, [{ url: image?.url ?? '' }])).toEqual(product.images);
    expect((await shop.put(shop.row('cup', { sku: 'S', attributes })))[0]?.status).toBe('unchanged');
    expect(await written()).toEqual(before);
  });

  it.each([
    ['a field', () => patchProduct(registry, 'all', productId, { sku: null })],
    ['an attribute', () => patchProduct(registry, 'all', productId, { attributes: [] })],
    ['an image', () => addImages(registry, 'all', productId, [{ url: `https://${shop.host}/2.jpg` }])],
    [
      'an image taken away',
      async () => {
        const { images } = await getProduct(registry, 'all', productId);
        await removeImage(registry, 'all', images[0]?.id ?? '');
      },
    ],
  ])('while %s updates updatedAt', async (_what, change) => {
    now = new Date(now.getTime() + 60_000);
    await change();
    expect((await getProduct(registry, 'all', productId)).updatedAt).toBe(now.toISOString());
  });
});

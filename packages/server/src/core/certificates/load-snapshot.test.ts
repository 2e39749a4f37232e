import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyDomain } from '../registry/domains/verify-domain.ts';
import { patchMerchant } from '../registry/merchants/merchants.ts';
import { deleteProduct, patchProduct } from '../registry/products/change-product.ts';
import { removeImage } from '../registry/products/product-images.ts';
import { fakeWeb, type TestRegistry, testRegistry, testShop } from '../registry/testing.ts';
import { createSnapshotLoader, type SnapshotLoader } from './load-snapshot.ts';

describe('what public requests load', () => {
  let registry: TestRegistry;
  let snapshots: SnapshotLoader;
  beforeAll(async () => {
    registry = await testRegistry();
    snapshots = createSnapshotLoader(registry.db, registry.secrets.rows);
  });
  afterAll(() => registry.close());
  const load = (id: string | undefined) => snapshots.product(id ?? '');
  const why = async (id: string | undefined) => (await load(id))?.why ?? 'active';
  const imageOf = async (id: string | undefined) => (await load(id))?.snapshot.images[0]?.imageId ?? '';

  it('for an active product: its snapshot, its owner, domains and coverage', async () => {
    const shop = await testShop(registry, 'load.example');
    const web = fakeWeb({ 'https://load.example/.well-known/touchstone-challenge': shop.challenge });
    await verifyDomain(registry, web.ports, 'all', shop.storeId, shop.host);
    const images = ['1', '2', '3'].map((name) => ({
      url: `https://cdn.example/${name}.jpg`,
      externalId: name,
    }));
    const [row] = await shop.put(
      shop.row('a', { images, brand: 'B', attributes: [{ name: 'colour', value: 'blue' }] }),
    );
    await registry.database.query(
      `update images set credentials = '{"hasC2PA": true, "hasManifest": true}', media_type = 'image/jpeg',
         width = 10, height = 20, upload_date = '2026-01-02T03:04:05Z' where url like '%/1.jpg'`,
    );
    const loaded = await load(row?.id?.toUpperCase());
    expect(loaded).toEqual({
      state: 'active',
      merchantId: shop.merchantId,
      storeId: shop.storeId,
      platform: 'custom',
      domains: [{ hostname: 'load.example', verified: true }],
      coverage: { certifiedAssets: 1, totalAssets: 3, coveragePercent: 33.33 },
      snapshot: {
        productId: row?.id,
        externalProductId: 'a',
        name: 'Product a',
        url: 'https://load.example/products/a',
        domain: 'load.example',
        storeName: 'Shop',
        storeUrl: 'https://load.example/',
        brand: 'B',
        attributes: [{ name: 'colour', value: 'blue' }],
        control: {
          method: 'well_known',
          checkedAt: registry.clock().toISOString(),
          provenAt: registry.clock().toISOString(),
        },
        images: [
          {
            imageId: expect.any(String),
            contentUrl: images[0]?.url,
            externalId: '1',
            encodingFormat: 'image/jpeg',
            width: 10,
            height: 20,
            uploadDate: '2026-01-02T03:04:05.000Z',
            credentials: { hasC2PA: true, hasManifest: true },
          },
          { imageId: expect.any(String), contentUrl: images[1]?.url, externalId: '2' },
          { imageId: expect.any(String), contentUrl: images[2]?.url, externalId: '3' },
        ],
      },
    });
    const image = loaded?.snapshot.images[1];
    const asset = await snapshots.asset(image?.imageId.toUpperCase() ?? '');
    // data of the image's own certificates only: not in the product's snapshot
    const about = { updatedAt: expect.stringMatching(/^\d{4}-.*Z$/) };
    expect(asset).toEqual({ ...loaded, isImage: true, image: { ...image, about } });
    await removeImage(registry, 'all', image?.imageId ?? '');
    expect(await snapshots.asset(image?.imageId ?? '')).toBeNull();
    expect((await load(row?.id))?.coverage.totalAssets).toBe(2);
  });

  it('says why a product is not active, starting with what the merchant did', async () => {
    const shop = await testShop(registry, 'states.example', 1);
    const [a, b] = await shop.put(shop.row('a'), shop.row('b'));
    expect([await why(a?.id), await why(b?.id)]).toEqual(['active', 'no_slot']);
    await patchMerchant(registry, 'all', shop.merchantId, { paused: true });
    expect([await why(a?.id), await why(b?.id)]).toEqual(['paused', 'paused']);
    await patchProduct(registry, 'all', a?.id ?? '', { visible: false });
    expect([await why(a?.id), await why(b?.id)]).toEqual(['hidden', 'paused']);
  });

  it('is null for unknown, disabled and deleted products, and for their images', async () => {
    const shop = await testShop(registry, 'gone.example');
    const [a, b] = await shop.put(shop.row('a'), shop.row('b'));
    const [imageA, imageB] = [await imageOf(a?.id), await imageOf(b?.id)];
    await patchProduct(registry, 'all', a?.id ?? '', { disabled: true });
    await deleteProduct(registry, 'all', b?.id ?? '');
    for (const id of [a?.id, b?.id, randomUUID()]) expect(await load(id)).toBeNull();
    for (const id of [imageA, imageB, randomUUID()]) expect(await snapshots.asset(id)).toBeNull();
    await patchProduct(registry, 'all', a?.id ?? '', { disabled: false });
    expect(await imageOf(a?.id)).toBe(imageA);
  });

  it('is read in one statement for all concurrent requests', async () => {
    const shop = await testShop(registry, 'one.example');
    const [a, b] = await shop.put(shop.row('a'), shop.row('b'));
    const statements: string[] = [];
    const { db } = registry.database.open({ onQuery: (statement) => statements.push(statement) });
    const { product } = createSnapshotLoader(db, registry.secrets.rows);
    const found = await Promise.all([a?.id, b?.id, randomUUID()].map((id) => product(id ?? '')));
    expect(found.map((one) => one?.snapshot.externalProductId)).toEqual(['a', 'b', undefined]);
    expect(statements).toHaveLength(1);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getMerchant, patchMerchant } from './merchants/merchants.ts';
import { deleteProduct } from './products/change-product.ts';
import { countProducts } from './products/count-products.ts';
import { upsertNdjson } from './products/ndjson-body.ts';
import { upsertProducts } from './products/upsert.ts';
import { createStore } from './stores/stores.ts';
import { type TestRegistry, testRegistry, testShop } from './testing.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await testRegistry();
});
afterAll(() => registry.close());

const limited = (perMerchant: number, perStore?: number): TestRegistry => ({
  ...registry,
  limits: { perMerchant, perStore },
});
let hosts = 0;
const shopOf = (limits: TestRegistry, planCapacity = 0) => {
  hosts += 1;
  return testShop(limits, `shop-${hosts}.example`, planCapacity);
};
const outcome = (results: readonly { status: string; errors?: readonly { type: string }[] }[]) =>
  results.map(({ status, errors = [] }) => errors[0]?.type ?? status);

describe('a merchant that has as many products as it may', () => {
  it('gets an error for each further row, keeps all earlier ones, and may change those', async () => {
    const shop = await shopOf(limited(3));
    expect(outcome(await shop.put(...['a', 'b'].map((id) => shop.row(id))))).toEqual(['created', 'created']);
    const results = await shop.put(
      shop.row('c'),
      shop.row('d'),
      shop.row('a', { name: 'Other' }),
      shop.row('e'),
      shop.row('b'),
    );
    expect(outcome(results)).toEqual(['created', 'product_limit', 'updated', 'product_limit', 'unchanged']);
    expect(results[1]?.errors?.[0]?.msg).toContain('3 products');
    expect((await countProducts(registry, 'all', shop.storeId)).total).toBe(3);
  });

  it('is limited over all its stores, and each store by its own limit', async () => {
    const limits = limited(4, 3);
    const shop = await shopOf(limits);
    const input = { merchantId: shop.merchantId, name: 'Second', url: `https://second-${shop.host}/` };
    const second = await createStore(limits, 'all', input);
    const row = (id: string) => shop.row(id, { url: `https://second-${shop.host}/${id}` });
    expect(outcome(await shop.put(...['a', 'b', 'c', 'd'].map((id) => shop.row(id))))).toEqual([
      'created',
      'created',
      'created',
      'product_limit',
    ]);
    const inSecond = await upsertProducts(limits, 'all', second.id, [row('a'), row('b')]);
    expect(outcome(inSecond)).toEqual(['created', 'product_limit']);
  });

  it('gains no room by deleting products, whose rows remain; one that comes back needs none', async () => {
    const shop = await shopOf(limited(1));
    const [first] = await shop.put(shop.row('a'));
    await deleteProduct(registry, 'all', first?.id ?? '');
    expect(outcome(await shop.put(shop.row('b')))).toEqual(['product_limit']);
    expect(outcome(await shop.put(shop.row('a')))).toEqual(['revived']);
  });

  it('meets the limit in the middle of an NDJSON stream, too, and loses nothing of it', async () => {
    const limits = limited(2_500);
    const shop = await shopOf(limits);
    const body = async function* () {
      for (let n = 0; n < 6_000; n += 1)
        yield Buffer.from(`${JSON.stringify(shop.row(`n${n}`, { images: [] }))}\n`);
    };
    let text = '';
    for await (const lines of await upsertNdjson(limits, 'all', shop.storeId, body()))
      text += Buffer.from(lines);
    const lines = text.trim().split('\n');
    expect(lines).toHaveLength(6_000);
    expect(lines.filter((line) => line.includes('"created"'))).toHaveLength(2_500);
    expect(lines.slice(2_500).every((line) => line.includes('product_limit'))).toBe(true);
  });
});

describe('the limit', () => {
  it('follows the plan above the setting', async () => {
    const shop = await shopOf(limited(1), 2);
    expect((await getMerchant(limited(1), 'all', shop.merchantId)).productLimit).toBe(20);
  });

  it('is set by the operator for one merchant, and by nobody else', async () => {
    const limits = limited(5);
    const shop = await shopOf(limits);
    const patch = (productLimit: number | null) =>
      patchMerchant(limits, 'all', shop.merchantId, { productLimit });
    expect((await patch(1)).merchant).toMatchObject({ productLimit: 1, products: 0 });
    expect(outcome(await shop.put(shop.row('a'), shop.row('b')))).toEqual(['created', 'product_limit']);
    expect((await patch(null)).merchant).toMatchObject({ productLimit: 5, products: 1 });
    const own = { merchantId: shop.merchantId };
    await expect(patchMerchant(limits, own, shop.merchantId, { productLimit: 9 })).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});

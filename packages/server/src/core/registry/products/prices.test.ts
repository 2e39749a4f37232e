import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../testing.ts';
import { patchProduct } from './change-product.ts';
import { getProduct } from './read-products.ts';

let registry: TestRegistry;
let shop: TestShop;
let now: Date;

beforeAll(async () => {
  registry = { ...(await testRegistry()), clock: () => now };
  now = new Date('2026-03-01T12:00:00Z');
  shop = await testShop(registry);
});
afterAll(() => registry.close());

const PRICE = { amount: '24.90', currency: 'EUR' };

/** Sends the product on this day of March; its id. */
async function put(day: number, changes: object = {}) {
  now = new Date(Date.UTC(2026, 2, day, 12));
  const [result] = await shop.put(shop.row('cup', { ...changes }));
  return result;
}
const read = (id = '') => getProduct(registry, 'all', id);

it('a price has the time at which it was first sent, until it changes or is left out', async () => {
  const id = (await put(1, { price: PRICE, availability: 'InStock' }))?.id;
  const first = { price: PRICE, pricedAt: '2026-03-01T12:00:00.000Z', availability: 'InStock' };
  expect(await read(id)).toMatchObject(first);
  expect(await put(2, { price: PRICE, availability: 'InStock' })).toMatchObject({ status: 'unchanged' });
  expect(await put(3, { price: PRICE, availability: 'OutOfStock' })).toMatchObject({ status: 'updated' });
  expect(await read(id)).toMatchObject({ ...first, availability: 'OutOfStock' });
  await put(4, { price: { ...PRICE, amount: '19.90' } });
  expect(await read(id)).toMatchObject({ price: { amount: '19.90' }, pricedAt: '2026-03-04T12:00:00.000Z' });
  await put(5);
  const bare = await read(id);
  expect([bare.price, bare.pricedAt, bare.availability]).toEqual([undefined, undefined, undefined]);
});

it('a price is changed and removed by itself, too', async () => {
  const id = (await put(6, { price: PRICE, name: 'Cup' }))?.id ?? '';
  now = new Date('2026-03-07T12:00:00Z');
  const same = await patchProduct(registry, 'all', id, { price: PRICE, name: 'Mug' });
  expect(same).toMatchObject({ name: 'Mug', pricedAt: '2026-03-06T12:00:00.000Z' });
  const other = await patchProduct(registry, 'all', id, { price: { ...PRICE, includesTax: true } });
  expect(other).toMatchObject({ price: { includesTax: true }, pricedAt: '2026-03-07T12:00:00.000Z' });
  const removed = await patchProduct(registry, 'all', id, { price: null, availability: 'SoldOut' });
  expect([removed.price, removed.pricedAt, removed.availability]).toEqual([undefined, undefined, 'SoldOut']);
});

it.each([
  [{ price: { amount: '24,90', currency: 'EUR' } }, ['price', 'amount']],
  [{ price: { amount: '-1', currency: 'EUR' } }, ['price', 'amount']],
  [{ price: { amount: '24.90', currency: 'euro' } }, ['price', 'currency']],
  [{ price: '24.90 EUR' }, ['price']],
  [{ availability: 'in stock' }, ['availability']],
])('a row with %j is rejected, and told where it is wrong', async (changes, loc) => {
  expect(await put(8, changes)).toMatchObject({ status: 'error', errors: [{ loc }] });
});

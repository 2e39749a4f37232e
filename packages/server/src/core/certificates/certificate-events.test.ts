import { eventSchema } from '@touchstone/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { changeProducts, type TestNode, type TestShop, testNode, testShop } from './testing.ts';

let database: TestDatabase;
let node: TestNode;
let shop: TestShop;
let now = new Date('2026-03-01T12:00:00Z');

beforeAll(async () => {
  database = await testDatabase();
  shop = await testShop(database);
  node = await testNode(database, { clock: () => now });
});
afterAll(async () => {
  await node.close();
  await database.close();
});

const recorded = () =>
  database.query('select type, count, items, gathering from events order by opened_at, type');
async function issueAll() {
  while ((await node.issueBatch(shop.store)) > 0);
}

it('events for issued, replaced and withdrawn certificates are sent to subscribers, and to nobody else', async () => {
  const { productId } = await shop.addProduct();
  await issueAll();
  expect(await recorded()).toEqual([]);
  await database.query(
    `insert into webhooks (id, merchant_id, url, events, secret, created_at)
     values (gen_random_uuid(), $1, 'https://hooks.example', $2, '', now())`,
    [shop.merchantId, ['certificate.issued', 'certificate.renewed', 'certificate.withdrawn']],
  );
  const second = await shop.addProduct();
  await issueAll();
  // both are renewed within 4.75 days: a cycle, plus the quarter of a day in which a new proof is not renewed
  now = new Date(now.getTime() + 4.75 * 86_400_000);
  await issueAll();
  await changeProducts(database, [productId], 'visible = false');
  await issueAll();
  const events = await recorded();
  expect(events).toMatchObject([
    {
      type: 'certificate.issued',
      count: 1,
      items: [{ productId: second.productId, externalProductId: 'cup-2' }],
    },
    { type: 'certificate.renewed', count: 2 },
    { type: 'certificate.withdrawn', count: 1, items: [{ productId, externalProductId: 'cup-1' }] },
  ]);
  const { data } = eventSchema('certificate.renewed').shape;
  const { merchantId, storeId } = shop;
  expect(data.safeParse({ merchantId, storeId, count: 2, products: events[1]?.items }).success).toBe(true);
  expect(await database.query("select from jobs where queue = 'webhooks'")).toHaveLength(3);
});

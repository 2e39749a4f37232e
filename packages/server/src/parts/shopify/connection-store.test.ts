import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../../core/registry/testing.ts';
import {
  openSecret,
  openToken,
  readConnection,
  sealSecret,
  sealToken,
  secretsOf,
} from './connection-store.ts';

let registry: TestRegistry;
let shop: TestShop;
let thief: TestShop;
beforeAll(async () => {
  registry = await testRegistry();
  shop = await testShop(registry);
  thief = await testShop(registry, 'thief.example');
});
afterAll(() => registry.close());

it.each([
  ['to another shop', `update shopify_connections set shop = 'other.myshopify.com'`, 'store'],
  ['to another merchant', `update shopify_connections set merchant_id = $thief`, 'store'],
  [
    'with its store',
    `update directory set merchant_id = $thief where id = $store;
     update stores set merchant_id = $thief where id = $store`,
    'store',
  ],
  [
    'with its store, and to its merchant',
    `update directory set merchant_id = $thief where id = $store;
     update stores set merchant_id = $thief where id = $store;
     update shopify_connections set merchant_id = $thief`,
    'store',
  ],
  ['to another store', `update shopify_connections set store_id = $other, merchant_id = $thief`, 'other'],
] as const)('the secrets of a connection that somebody moves %s do not open', async (_, sql, read) => {
  const { db, secrets } = registry;
  const { seal } = secrets;
  const ids = { thief: thief.merchantId, other: thief.storeId, store: shop.storeId };
  const name = { store_id: shop.storeId, merchant_id: shop.merchantId, shop: 'example.myshopify.com' };
  await db.deleteFrom('shopify_connections').execute();
  for (const table of ['stores', 'directory'] as const)
    await db
      .updateTable(table)
      .set({ merchant_id: shop.merchantId })
      .where('id', '=', shop.storeId)
      .execute();
  await db
    .insertInto('shopify_connections')
    .values({
      ...name,
      access_token: sealToken(seal, name, 'shpat_1'),
      token_until: registry.clock(),
      client_id: 'client',
      client_secret: sealSecret(seal, name, 'secret'),
      connected_at: registry.clock(),
      storefront: 'https://shop.example',
    })
    .execute();
  const before = await readConnection(db, shop.storeId);
  if (before === undefined) throw new Error('It is not connected.');
  expect([openToken(seal, before), openSecret(seal, before)]).toEqual(['shpat_1', 'secret']);

  await registry.database.tamper(
    sql.replace(/\$(thief|other|store)/g, (_name, id: keyof typeof ids) => `'${ids[id]}'`),
  );
  const after = await readConnection(db, ids[read]);
  if (after === undefined) return;
  for (const open of [openToken, openSecret]) expect(() => open(seal, after)).toThrow();
  expect(() => secretsOf(seal, after, registry.clock())).toThrow();
});

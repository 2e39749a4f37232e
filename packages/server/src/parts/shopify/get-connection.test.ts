import { createApiClient } from '@touchstone/fetch';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteStore } from '../../core/registry/stores/stores.ts';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../../core/registry/testing.ts';
import { createAdminClient } from './admin-client.ts';
import { readConnection, sealToken } from './connection-store.ts';
import { SHOPIFY, type ShopifyContext } from './context.ts';
import { purgeConnections } from './end-connection.ts';
import { getShopify } from './get-connection.ts';
import { publishCertificates } from './publish-certificates.ts';

let registry: TestRegistry;
let shop: TestShop;
beforeAll(async () => {
  registry = await testRegistry();
  shop = await testShop(registry);
  const name = { store_id: shop.storeId, merchant_id: shop.merchantId, shop: 'example.myshopify.com' };
  const now = registry.clock();
  await registry.db
    .insertInto('shopify_connections')
    .values({
      ...name,
      access_token: sealToken(registry.secrets.seal, name, 'shpat_1'),
      connected_at: now,
      read_at: now,
      storefront: 'https://shop.example',
    })
    .execute();
  await registry.db
    .insertInto('shopify_products')
    .values({ merchant_id: shop.merchantId, store_id: shop.storeId, shopify_id: '1' })
    .execute();
  await registry.db
    .insertInto('jobs')
    .values({ queue: SHOPIFY, subject: shop.storeId, owner: shop.merchantId, state: 'ready' })
    .onConflict((one) => one.columns(['queue', 'subject']).doUpdateSet({ state: 'ready' }))
    .execute();
});
afterAll(() => registry.close());

/** Ends the run that publishes, with its results, as soon as the published products have been counted. */
const endsAfterCount: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    if (result.rows.some((row) => 'published' in row)) {
      await registry.database.query(`update shopify_products set digest = 'd'`);
      await registry.database.query(`update jobs set state = 'scheduled' where queue = '${SHOPIFY}'`);
    }
    return result;
  },
};

it('a connection is current only if what the last run published is counted, even if that ends meanwhile', async () => {
  const context = {
    registry: { ...registry, db: registry.db.withPlugin(endsAfterCount) },
  } as Partial<ShopifyContext> as ShopifyContext;
  expect(await getShopify(context, 'all', shop.storeId)).toMatchObject({ state: 'publishing', published: 0 });
  expect(await getShopify(context, 'all', shop.storeId)).toMatchObject({ state: 'current', published: 1 });
});

it('a run that cannot read all certificates fails, so that the connection does not become current', async () => {
  const connection = await readConnection(registry.db, shop.storeId);
  if (connection === undefined) throw new Error('It is not connected.');
  const api = createApiClient({ userAgent: 'test/1' });
  const aborted = { status: 'aborted', code: 'signer_unavailable', detail: '', cursor: 'c' };
  const published = publishCertificates({
    context: {
      registry,
      async streamCertificates() {
        return (async function* () {
          yield [JSON.stringify(aborted)];
        })();
      },
    } as Partial<ShopifyContext> as ShopifyContext,
    client: createAdminClient(api, { shop: connection.shop, token: async () => 'shpat_1' } as never),
    connection,
    signal: new AbortController().signal,
    progressed: async () => {},
  });
  await expect(published).rejects.toThrow(/signer_unavailable/);
  expect(await readConnection(registry.db, shop.storeId)).toMatchObject({ certificates_from: 'c' });
});

it('the secrets of a store are deleted with it, also if the service ran without this part meanwhile', async () => {
  const left = () => registry.database.query('select shop from shopify_connections');
  await purgeConnections(registry.db);
  expect(await left()).toHaveLength(1);
  await deleteStore({ ...registry, emit: async () => {} }, 'all', shop.storeId);
  expect(await left()).toHaveLength(1);
  await purgeConnections(registry.db);
  expect(await left()).toEqual([]);
});

import type { ShopifyConnect, ShopifyConnection } from '@touchstone/contract';
import { sql } from 'kysely';
import { findStore, lockStore } from '../../core/registry/find-store.ts';
import { type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';
import { orderJob } from '../../platform/jobs/order-jobs.ts';
import { authorizeShop } from './authorize-shop.ts';
import { FORMER_SECRET, readConnection, sealSecret, sealToken } from './connection-store.ts';
import { SHOPIFY, type ShopifyContext } from './context.ts';
import { getShopify, requireConnection } from './get-connection.ts';
import { NO_READING } from './reading-store.ts';

/**
 * Connects a store to a shop that grants us access, and orders a reading of its products.
 *
 * @throws ServiceError `store_unknown`; `shopify_refused` if the shop does not grant access; `conflict` if another store is
 *   connected to the shop
 */
export async function connectShopify(
  context: ShopifyContext,
  scope: Scope,
  storeId: string,
  input: ShopifyConnect,
): Promise<ShopifyConnection> {
  const { registry, seal } = context;
  const { merchantId, id } = await findStore(registry.db, scope, storeId);
  const { storefront, token, until } = await authorizeShop(context, input);
  const now = registry.clock();
  await inTransaction(registry.db, async (trx) => {
    await lockStore(trx, { merchantId }, id);
    const before = await readConnection(trx, id, merchantId);
    // another shop has other products
    if (before?.shop !== input.shop) await deleteConnection(trx, merchantId, id);
    // waits for another store that connects the shop at this moment
    const { store_id: connected } = await trx
      .insertInto('shopify_shops')
      .values({ shop: input.shop, store_id: id })
      .onConflict((on) => on.column('shop').doUpdateSet({ shop: input.shop }))
      .returning('store_id')
      .executeTakeFirstOrThrow();
    if (connected !== id)
      throw new ServiceError('conflict', {
        message: `Another store is connected to ${input.shop}: disconnect that one first.`,
      });
    const { clientSecret } = input;
    const name = { store_id: id, merchant_id: merchantId, shop: input.shop };
    const secret = clientSecret === undefined ? {} : { client_secret: sealSecret(seal, name, clientSecret) };
    const values = {
      shop: input.shop,
      access_token: sealToken(seal, name, token),
      token_until: until,
      client_id: input.clientId ?? null,
      storefront,
      connected_at: now,
      problem: null,
    };
    await trx
      .insertInto('shopify_connections')
      .values({ merchant_id: merchantId, store_id: id, ...values, ...secret })
      .onConflict((on) =>
        on.columns(['merchant_id', 'store_id']).doUpdateSet({
          ...values,
          ...secret,
          ...(clientSecret === undefined
            ? {}
            : {
                former_secret: sql<Buffer>`shopify_connections.client_secret`,
                former_secret_until: new Date(now.getTime() + FORMER_SECRET),
              }),
        }),
      )
      .execute();
    await orderReading(trx, id, merchantId);
  });
  return getShopify(context, scope, id);
}

/** Orders that all products are read again, from the first one. */
async function orderReading(trx: DatabaseTransaction, storeId: string, merchantId: string): Promise<void> {
  await trx
    .updateTable('shopify_connections')
    .set({ ...NO_READING, read_at: null, problem: null })
    .where('merchant_id', '=', merchantId)
    .where('store_id', '=', storeId)
    .execute();
  await sql`
    update shopify_products set failure = null
    where merchant_id = ${merchantId} and store_id = ${storeId} and failure is not null`.execute(trx);
  await orderJob(trx, SHOPIFY, { subject: storeId, owner: merchantId });
}

async function deleteConnection(
  trx: DatabaseTransaction,
  merchantId: string,
  storeId: string,
): Promise<void> {
  await trx.deleteFrom('shopify_shops').where('store_id', '=', storeId).execute();
  // with its products
  await trx
    .deleteFrom('shopify_connections')
    .where('merchant_id', '=', merchantId)
    .where('store_id', '=', storeId)
    .execute();
}

/** @throws ServiceError `store_unknown`, `shopify_not_connected` */
export async function readShopify(
  context: ShopifyContext,
  scope: Scope,
  storeId: string,
): Promise<ShopifyConnection> {
  const { registry } = context;
  const store = await findStore(registry.db, scope, storeId);
  await requireConnection(registry.db, store);
  await inTransaction(registry.db, (trx) => orderReading(trx, store.id, store.merchantId));
  return getShopify(context, scope, store.id);
}

/** Idempotent. Throws `store_unknown`. */
export async function disconnectShopify(
  { registry }: ShopifyContext,
  scope: Scope,
  storeId: string,
): Promise<void> {
  const store = await findStore(registry.db, scope, storeId);
  await inTransaction(registry.db, (trx) => deleteConnection(trx, store.merchantId, store.id));
}

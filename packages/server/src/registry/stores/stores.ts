import { randomUUID } from 'node:crypto';
import { hostOf } from '@touchstone/certificate/binding';
import type { Store, StoreCreate, StoreList, StoreListQuery, StorePatch } from '@touchstone/contract';
import { sql } from 'kysely';
import { inTransaction } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import { inScope, type Scope } from '../../platform/http/access.ts';
import { differs, pageOf, productChanges, type Registry } from '../context.ts';
import { claimHostname, freeHostnames, listDomains, lockHostnames } from '../domains/hostname-claims.ts';
import { findStore, lockStore, type StoreRow } from '../find-store.ts';
import { lockMerchants, settleSeats } from '../plan-seats.ts';
import { changeProducts } from '../product-batches.ts';
import { orderSigning } from '../products/product-images.ts';

/** A shop of a merchant; the host of its address becomes its first domain, with a challenge. */
export async function createStore(registry: Registry, scope: Scope, input: StoreCreate): Promise<Store> {
  const merchantId = input.merchantId.toLowerCase();
  if (!inScope(scope, merchantId)) throw new ServiceError('merchant_unknown');
  const hostname = siteHost(input.url);
  return inTransaction(registry.db, async (trx) => {
    await lockHostnames(trx, [hostname]);
    const [merchant] = await lockMerchants(trx, [merchantId]);
    if (merchant === undefined) throw new ServiceError('merchant_unknown');
    const id = randomUUID();
    await trx
      .insertInto('stores')
      .values({
        id,
        merchant_id: merchantId,
        name: input.name,
        url: input.url,
        platform: input.platform ?? 'custom',
        sign_images: input.signImages ?? false,
        sign_remote_manifests: input.signRemoteManifests ?? false,
      })
      .execute();
    await claimHostname(trx, { id, merchantId }, hostname);
    return toStore(trx, await findStore(trx, 'all', id));
  });
}

/** Throws `store_unknown` for one out of scope too. */
export async function getStore(registry: Registry, scope: Scope, id: string): Promise<Store> {
  return toStore(registry.db, await findStore(registry.db, scope, id));
}

/** Changes name, address or platform; the host of a new address becomes a domain. Its products stay theirs. */
export async function patchStore(
  registry: Registry,
  scope: Scope,
  id: string,
  patch: StorePatch,
): Promise<Store> {
  const { merchantId } = await findStore(registry.db, scope, id);
  const hostname = patch.url === undefined ? undefined : siteHost(patch.url);
  const { store, changed } = await inTransaction(registry.db, async (trx) => {
    if (hostname !== undefined) await lockHostnames(trx, [hostname]);
    const present = await lockStore(trx, merchantId, id);
    const ids = hostname === undefined ? [] : await claimHostname(trx, present, hostname);
    const values = {
      name: patch.name ?? present.name,
      url: patch.url ?? present.url,
      platform: patch.platform ?? present.platform,
      sign_images: patch.signImages ?? present.signImages,
      sign_remote_manifests: patch.signRemoteManifests ?? present.signRemoteManifests,
    };
    await trx.updateTable('stores').set(values).where('id', '=', id).where(differs(values)).execute();
    const asksForMore =
      (values.sign_images && !present.signImages) ||
      (values.sign_remote_manifests && !present.signRemoteManifests);
    if (asksForMore && values.sign_images) await orderSigning(trx, id);
    return { store: await toStore(trx, await findStore(trx, 'all', id)), changed: ids };
  });
  registry.onChange([`s:${store.id}`, ...productChanges(changed)]);
  return store;
}

/**
 * The stores that a caller may see, by id, so that a cursor stays good whatever comes and goes. An importer finds
 * its store here by the address instead of making a second one.
 */
export async function listStores(
  registry: Registry,
  scope: Scope,
  query: StoreListQuery,
): Promise<StoreList> {
  const rows = await registry.db
    .selectFrom('stores')
    .select(['id', 'merchant_id as merchantId', 'name', 'url', 'platform'])
    .where('deleted_at', 'is', null)
    .$if(scope !== 'all', (select) =>
      select.where('merchant_id', '=', scope === 'all' ? '' : scope.merchantId),
    )
    .$if(query.merchantId !== undefined, (select) => select.where('merchant_id', '=', query.merchantId ?? ''))
    .$if(query.cursor !== undefined, (select) => select.where('id', '>', query.cursor ?? ''))
    .orderBy('id')
    .limit(query.limit + 1)
    .execute();
  const { page, next } = pageOf(rows, query.limit, ({ id }) => id);
  return { stores: page, ...next };
}

/**
 * Deletes a store with all its products: they give their seats back, and answer 404. A hostname
 * that no other store of the merchant uses is free again for whoever proves it.
 */
export async function deleteStore(registry: Registry, scope: Scope, id: string): Promise<void> {
  const { merchantId } = await findStore(registry.db, scope, id);
  await inTransaction(registry.db, async (trx) => {
    const domains = await trx.selectFrom('domains').select('hostname').where('store_id', '=', id).execute();
    await lockHostnames(
      trx,
      domains.map(({ hostname }) => hostname),
    );
    const store = await lockStore(trx, merchantId, id);
    const now = registry.clock();
    const present = sql`store_id = ${id} and deleted_at is null`;
    await changeProducts(trx, sql`deleted_at = ${now}, updated_at = ${now}`, present);
    await settleSeats(trx, store.merchant, sql<boolean>`store_id = ${id}`);
    await trx.updateTable('stores').set({ deleted_at: now }).where('id', '=', id).execute();
    // those, too, that were added and proven while we waited for the merchant
    const gone = await trx.deleteFrom('domains').where('store_id', '=', id).returning('hostname').execute();
    await freeHostnames(
      trx,
      merchantId,
      gone.map(({ hostname }) => hostname),
    );
  });
  // of the merchant too: a seat that came free goes to another of its products
  registry.onChange([`s:${id.toLowerCase()}`, `m:${merchantId}`]);
}

async function toStore(db: Parameters<typeof listDomains>[0], row: StoreRow): Promise<Store> {
  return {
    id: row.id,
    merchantId: row.merchantId,
    name: row.name,
    url: row.url,
    platform: row.platform,
    signImages: row.signImages,
    signRemoteManifests: row.signRemoteManifests,
    domains: await listDomains(db, row),
    createdAt: row.createdAt.toISOString(),
  };
}

function siteHost(url: string): string {
  const host = hostOf(url);
  if (host === null) throw new Error('The address of a store was not checked.');
  return host;
}

import { randomUUID } from 'node:crypto';
import { hostOf } from '@touchstone/certificate/binding';
import type { Store, StoreCreate, StoreList, StoreListQuery, StorePatch } from '@touchstone/contract';
import { announce } from '../../../platform/cache/announce.ts';
import { type DatabaseTransaction, inTransaction } from '../../../platform/database/database.ts';
import { ServiceError } from '../../../platform/errors.ts';
import { inScope, type Scope } from '../../../platform/http/access.ts';
import { changeProducts } from '../changes/make-change.ts';
import { pendingChanges } from '../changes/read-changes.ts';
import { differs, pageOf, type Registry } from '../context.ts';
import { claimHostname, freeHostnames, listDomains, lockHostnames } from '../domains/hostname-claims.ts';
import { findStore, lockStore, type StoreRow } from '../find-store.ts';
import { lockMerchants } from '../plan-seats.ts';
import { viewRequestHeaders } from './request-headers.ts';

/** Creates a store of a merchant; the host of its address becomes its first domain, with a challenge. */
export async function createStore(registry: Registry, scope: Scope, input: StoreCreate): Promise<Store> {
  const merchantId = input.merchantId.toLowerCase();
  if (!inScope(scope, merchantId)) throw new ServiceError('merchant_unknown');
  const hostname = siteHost(input.url);
  return inTransaction(registry.db, async (trx) => {
    await lockHostnames(trx, [hostname]);
    const [merchant] = await lockMerchants(trx, [merchantId]);
    if (merchant === undefined) throw new ServiceError('merchant_unknown');
    await assertAddressIsFree(trx, merchantId, input.url);
    const id = randomUUID();
    await trx.insertInto('directory').values({ id: id, merchant_id: merchantId }).execute();
    await trx
      .insertInto('stores')
      .values({
        id,
        merchant_id: merchantId,
        name: input.name,
        url: input.url,
        created_at: registry.clock(),
        platform: input.platform ?? 'custom',
        sign_images: input.signImages ?? false,
        sign_remote_manifests: input.signRemoteManifests ?? false,
        sign_prices: input.signPrices ?? false,
      })
      .execute();
    await registry.emit(trx, 'storeCreated', { merchantId, storeId: id });
    await claimHostname(registry, trx, { id, merchantId, merchant }, hostname);
    return toStore(registry, trx, await findStore(trx, { merchantId }, id));
  });
}

/** Throws `store_unknown`, also for one out of scope. */
export async function getStore(registry: Registry, scope: Scope, id: string): Promise<Store> {
  return toStore(registry, registry.db, await findStore(registry.db, scope, id));
}

/**
 * Changes name, address or platform; the host of a new address becomes a domain. Products are kept.
 *
 * @returns the store, and the id of the pending change of its products; `null`: none is pending
 */
export async function patchStore(
  registry: Registry,
  scope: Scope,
  id: string,
  patch: StorePatch,
): Promise<{ store: Store; change: string | null }> {
  const hostname = patch.url === undefined ? undefined : siteHost(patch.url);
  const answer = await inTransaction(registry.db, async (trx) => {
    if (hostname !== undefined) await lockHostnames(trx, [hostname]);
    const present = await lockStore(trx, scope, id);
    const { merchantId } = present;
    // stores that share an address since earlier may be changed in any other respect
    if (patch.url !== undefined && placeOf(patch.url) !== placeOf(present.url))
      await assertAddressIsFree(trx, merchantId, patch.url);
    const regained = hostname === undefined ? null : await claimHostname(registry, trx, present, hostname);
    const values = {
      name: patch.name ?? present.name,
      url: patch.url ?? present.url,
      platform: patch.platform ?? present.platform,
      sign_images: patch.signImages ?? present.signImages,
      sign_remote_manifests: patch.signRemoteManifests ?? present.signRemoteManifests,
      sign_prices: patch.signPrices ?? present.signPrices,
    };
    const written = await trx
      .updateTable('stores')
      .set(values)
      .where('merchant_id', '=', merchantId)
      .where('id', '=', id)
      .where(differs(values))
      .executeTakeFirst();
    if (written.numUpdatedRows > 0n) await announce(trx, [`s:${present.id}`]);
    const isRenamed = values.name !== present.name || values.url !== present.url;
    if (isRenamed || values.sign_prices !== present.signPrices)
      await registry.emit(trx, 'storeAltered', { merchantId, storeId: present.id });
    const asksForMore =
      (values.sign_images && !present.signImages) ||
      (values.sign_remote_manifests && !present.signRemoteManifests);
    const signed =
      asksForMore && values.sign_images
        ? await changeProducts(registry, trx, present.merchant, {
            kind: 'image_signing',
            storeId: present.id,
          })
        : null;
    return {
      store: await toStore(registry, trx, {
        ...present,
        name: values.name,
        url: values.url,
        platform: values.platform,
        signImages: values.sign_images,
        signRemoteManifests: values.sign_remote_manifests,
        signPrices: values.sign_prices,
      }),
      change: regained ?? signed,
    };
  });
  // of the merchant, too: products that regain their host may get seats of its plan
  registry.onChange([`s:${answer.store.id}`, `m:${answer.store.merchantId}`]);
  return answer;
}

/**
 * The stores that a caller may see, ordered by id, so that a cursor stays valid. An importer finds
 * its store here by its address, instead of creating a second one.
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
 * Deletes a store with all its products, which are then a 404 and release their seats. A hostname
 * that no other store of the merchant has may be proven by another merchant.
 *
 * @returns id of the pending change of its products; `null`: none is pending
 */
export async function deleteStore(registry: Registry, scope: Scope, id: string): Promise<string | null> {
  const { merchantId } = await findStore(registry.db, scope, id);
  const change = await inTransaction(registry.db, async (trx) => {
    const domains = await trx
      .selectFrom('domains')
      .select('hostname')
      .where('merchant_id', '=', merchantId)
      .where('store_id', '=', id)
      .execute();
    await lockHostnames(
      trx,
      domains.map(({ hostname }) => hostname),
    );
    const store = await lockStore(trx, { merchantId }, id);
    await trx
      .updateTable('stores')
      .set({ deleted_at: registry.clock() })
      .where('merchant_id', '=', merchantId)
      .where('id', '=', id)
      .execute();
    await announce(trx, [`s:${store.id}`]);
    await registry.emit(trx, 'storeDeleted', { merchantId, storeId: store.id });
    await trx
      .deleteFrom('store_request_headers')
      .where('merchant_id', '=', merchantId)
      .where('store_id', '=', id)
      .execute();
    // including domains added and proven while this call waited for the lock
    const gone = await trx
      .deleteFrom('domains')
      .where('merchant_id', '=', merchantId)
      .where('store_id', '=', id)
      .returning('hostname')
      .execute();
    await freeHostnames(
      registry,
      trx,
      merchantId,
      gone.map(({ hostname }) => hostname),
    );
    return changeProducts(registry, trx, store.merchant, { kind: 'store_deletion', storeId: store.id });
  });
  // of the merchant, too: a released seat goes to another of its products
  registry.onChange([`s:${id.toLowerCase()}`, `m:${merchantId}`]);
  return change;
}

async function toStore(
  { clock, secrets }: Pick<Registry, 'clock' | 'secrets'>,
  db: Parameters<typeof listDomains>[0],
  row: StoreRow,
): Promise<Store> {
  const domains = await listDomains(db, secrets, row);
  const requestHeaders = await viewRequestHeaders(db, secrets, row, domains, clock());
  return {
    id: row.id,
    merchantId: row.merchantId,
    name: row.name,
    url: row.url,
    platform: row.platform,
    signImages: row.signImages,
    signRemoteManifests: row.signRemoteManifests,
    signPrices: row.signPrices,
    domains,
    ...(requestHeaders === undefined ? {} : { requestHeaders }),
    createdAt: row.createdAt.toISOString(),
    pendingChanges: (await pendingChanges(db, [row.merchantId])).filter(({ storeId }) => storeId === row.id),
  };
}

/**
 * Refuses a second store at one address, under the lock of the merchant: its products would be certified twice, and hold two
 * seats each.
 *
 * @throws ServiceError store_exists
 */
async function assertAddressIsFree(trx: DatabaseTransaction, merchantId: string, url: string): Promise<void> {
  const stores = await trx
    .selectFrom('stores')
    .select(['id', 'name', 'url'])
    .where('merchant_id', '=', merchantId)
    .where('deleted_at', 'is', null)
    .execute();
  const same = stores.find((store) => placeOf(store.url) === placeOf(url));
  if (same === undefined) return;
  throw new ServiceError('store_exists', {
    message: `The merchant's store ${same.id} (${JSON.stringify(same.name)}) has this address. Send products to that store, or change or delete it; a second store on this host needs an address of its own, such as ${new URL('/es', url).href}.`,
    members: { storeId: same.id },
  });
}

/** Host and path: two stores of a merchant may share a host, such as those of two languages. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/+$/, '')}`;
}

function siteHost(url: string): string {
  const host = hostOf(url);
  if (host === null) throw new Error('The address of a store was not checked.');
  return host;
}

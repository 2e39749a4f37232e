import { randomUUID } from 'node:crypto';
import { hostOf } from '@touchstone/certificate/binding';
import { inTransaction } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import { inScope, productChanges, type Registry, type Scope } from '../context.ts';
import { differs } from '../differs.ts';
import { claimDomain } from '../domains/add-domain.ts';
import { lockHostnames } from '../domains/hostname-lock.ts';
import { listDomains } from '../domains/list-domains.ts';
import { orderSigning } from '../images.ts';
import type { Store, StoreCreate, StorePatch } from '../schema/store.ts';
import { lockMerchants } from '../slots.ts';
import { findStore, lockStore, type StoreRow } from './find-store.ts';

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
      })
      .execute();
    await claimDomain(trx, { id, merchantId }, hostname);
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
    const ids = hostname === undefined ? [] : await claimDomain(trx, present, hostname);
    const values = {
      name: patch.name ?? present.name,
      url: patch.url ?? present.url,
      platform: patch.platform ?? present.platform,
      sign_images: patch.signImages ?? present.signImages,
    };
    await trx.updateTable('stores').set(values).where('id', '=', id).where(differs(values)).execute();
    if (patch.signImages === true && !present.signImages) await orderSigning(trx, id);
    return { store: await toStore(trx, await findStore(trx, 'all', id)), changed: ids };
  });
  registry.onChange([`s:${store.id}`, ...productChanges(changed)]);
  return store;
}

async function toStore(db: Parameters<typeof listDomains>[0], row: StoreRow): Promise<Store> {
  return {
    id: row.id,
    merchantId: row.merchantId,
    name: row.name,
    url: row.url,
    platform: row.platform,
    signImages: row.signImages,
    domains: await listDomains(db, row),
    createdAt: row.createdAt.toISOString(),
  };
}

function siteHost(url: string): string {
  const host = hostOf(url);
  if (host === null) throw new Error('The address of a store was not checked.');
  return host;
}

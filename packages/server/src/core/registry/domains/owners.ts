import type { EventType } from '@touchstone/contract';
import { announce } from '../../../platform/cache/announce.ts';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { inTransaction } from '../../../platform/database/database.ts';
import { provenOwner, readOwner } from '../../../platform/database/hostname-owners.ts';
import type { DomainProofMethod } from '../../../platform/database/tables.ts';
import { ServiceError } from '../../../platform/errors.ts';
import { changeProducts } from '../changes/make-change.ts';
import type { Registry } from '../context.ts';
import { type LockedMerchant, lockMerchants } from '../plan-seats.ts';
import { afterSuccess } from './control-schedule.ts';
import { beginProof, endProof, lockHostnames } from './hostname-claims.ts';

/** A successful proof of control. */
export interface Proven {
  readonly hostname: string;
  readonly merchantId: string;
  readonly method: DomainProofMethod;
  /** When the check began. */
  readonly checkedAt: Date;
}

/**
 * Makes the merchant the owner of the hostname, and removes the hostname from all others, in one transaction.
 *
 * @param displacing - the present owner, whose ownership ends, and the store that contests it, unless the contest has ended
 * @throws ServiceError `domain_unknown_to_store` if the merchant no longer claims it; `hostname_taken` if another owns it
 */
export async function recordOwner(
  registry: Registry,
  { hostname, merchantId, method, checkedAt }: Proven,
  displacing?: { readonly merchantId: string; readonly storeId: string },
): Promise<void> {
  const losers = await inTransaction(registry.db, async (trx) => {
    await lockHostnames(trx, [hostname]);
    const claims = await trx
      .selectFrom('domains')
      .select('merchant_id')
      .where('domains.hostname', '=', hostname)
      .execute();
    const claimants = claims.map((claim) => claim.merchant_id);
    const merchants = await lockMerchants(trx, [merchantId, ...claimants]);
    const winner = merchants.find(({ id }) => id === merchantId);
    if (winner === undefined || !claimants.includes(merchantId)) {
      throw new ServiceError('domain_unknown_to_store');
    }
    if (displacing !== undefined) await endContested(registry, trx, hostname, displacing);
    const owner = await readOwner(trx, registry.secrets.rows, hostname);
    if (owner !== null) {
      if (owner.merchant_id !== merchantId) throw new ServiceError('hostname_taken');
      return [];
    }
    const proven = provenOwner({ hostname, merchant_id: merchantId, method }, checkedAt);
    await beginProof(registry, trx, proven, afterSuccess(checkedAt));
    await trx.deleteFrom('control_contests').where('hostname', '=', hostname).execute();
    const others = merchants.filter(({ id }) => id !== merchantId);
    for (const merchant of others) await takeHostname(registry, trx, merchant, hostname);
    await giveHostname(registry, trx, winner, hostname);
    return others;
  });
  registry.onChange([
    `h:${hostname}` as const,
    `m:${merchantId}` as const,
    ...losers.map((merchant) => `m:${merchant.id}` as const),
  ]);
}

async function endContested(
  registry: Registry,
  trx: DatabaseTransaction,
  hostname: string,
  { merchantId, storeId }: { readonly merchantId: string; readonly storeId: string },
): Promise<void> {
  const contest = await trx
    .deleteFrom('control_contests')
    .where('hostname', '=', hostname)
    .where('store_id', '=', storeId)
    .executeTakeFirst();
  // a check of the owner that found its challenge ends the contest
  if (contest.numDeletedRows === 0n) throw new ServiceError('hostname_taken');
  await endProof(registry, trx, hostname, merchantId);
}

/** Marks the hostname as lost by the merchant's stores: products on it are no longer active and release their seats. */
async function takeHostname(
  registry: Registry,
  trx: DatabaseTransaction,
  merchant: LockedMerchant,
  hostname: string,
): Promise<void> {
  const stores = await trx
    .updateTable('domains')
    .set({ lost_at: registry.clock() })
    .where('hostname', '=', hostname)
    .where('lost_at', 'is', null)
    .where('merchant_id', '=', merchant.id)
    .returning('store_id')
    .execute();
  await followDomain(registry, trx, merchant, stores, hostname);
  await tellStores(registry, trx, merchant.id, stores, { type: 'domain.lost', hostname });
}

/** The owner's stores that had lost the hostname have it again, with their products on it. */
async function giveHostname(
  registry: Registry,
  trx: DatabaseTransaction,
  merchant: LockedMerchant,
  hostname: string,
): Promise<void> {
  const regained = await trx
    .updateTable('domains')
    .set({ lost_at: null })
    .where('hostname', '=', hostname)
    .where('lost_at', 'is not', null)
    .where('merchant_id', '=', merchant.id)
    .returning('store_id')
    .execute();
  await followDomain(registry, trx, merchant, regained, hostname);
  await tellStores(registry, trx, merchant.id, await storesWith(trx, merchant.id, hostname), {
    type: 'domain.proven',
    hostname,
  });
}

async function followDomain(
  registry: Registry,
  trx: DatabaseTransaction,
  merchant: LockedMerchant,
  stores: readonly { readonly store_id: string }[],
  hostname: string,
): Promise<void> {
  await announce(
    trx,
    stores.map(({ store_id: id }) => `s:${id}` as const),
  );
  let unsettled = merchant;
  for (const { store_id: storeId } of stores) {
    const change = await changeProducts(registry, trx, unsettled, { kind: 'domain', storeId, hostname });
    if (change !== null) unsettled = { ...unsettled, seatsUnsettled: true };
  }
}

/** The stores of a merchant that have a hostname. */
export function storesWith(trx: DatabaseTransaction, merchantId: string, hostname: string) {
  return trx
    .selectFrom('domains')
    .innerJoin('stores', (join) =>
      join
        .onRef('stores.merchant_id', '=', 'domains.merchant_id')
        .onRef('stores.id', '=', 'domains.store_id'),
    )
    .select('domains.store_id')
    .where('domains.merchant_id', '=', merchantId)
    .where('stores.deleted_at', 'is', null)
    .where('domains.hostname', '=', hostname)
    .orderBy('domains.store_id')
    .execute();
}

/** Records an event about a hostname for each of these stores. */
export async function tellStores(
  registry: Pick<Registry, 'clock' | 'emit'>,
  trx: DatabaseTransaction,
  merchantId: string,
  stores: readonly { readonly store_id: string }[],
  {
    type,
    hostname,
    detail = {},
  }: {
    readonly type: EventType;
    readonly hostname: string;
    readonly detail?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  const event = { type, subject: hostname, detail: { hostname, ...detail }, at: registry.clock() };
  await registry.emit(
    trx,
    'recorded',
    stores.map(({ store_id: storeId }) => ({ ...event, merchantId, storeId })),
  );
}

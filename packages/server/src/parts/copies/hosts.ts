import { MAX_COPIES_OF_DOMAIN } from '@touchstone/contract';
import { sql } from 'kysely';
import type { CoreEvents, Emit } from '../../core/registry/events.ts';
import type { StoreKey } from '../../core/registry/find-store.ts';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import { countOnDomain, domainOf, isOwnHost } from './domains.ts';

/** Milliseconds until the service looks again by itself. */
export const LOOK_EVERY = 86_400_000;

/** Records pictures or a name that a page check has found on a host of somebody else. */
export async function recordLikeness(
  trx: DatabaseTransaction,
  { merchantId, original, host, url, found: { kind, ...detail }, now }: CoreEvents['likenessFound'],
  emit: Emit,
): Promise<void> {
  const { rows } = await sql<{ store_id: string }>`
    select d.store_id from domains d join stores s on s.merchant_id = d.merchant_id and s.id = d.store_id
    where d.merchant_id = ${merchantId} and d.hostname = ${original} and d.lost_at is null and s.deleted_at is null
      and not ${isOwnHost(sql`d.merchant_id`, host)} limit 1`.execute(trx);
  const [known] = rows;
  if (known === undefined) return;
  const store = { id: known.store_id, merchantId };
  const domain = domainOf(host);
  const counted = await countOnDomain(trx, store, domain, now);
  if (counted === undefined) return;
  const { isNew, dropped } = await recordOnHost(trx, store, {
    host,
    url,
    kind,
    detail: { original, ...detail },
    now,
  });
  if (dropped > 0)
    await sql`
      update copy_domains set dropped = dropped + ${dropped}
      where merchant_id = ${merchantId} and store_id = ${store.id} and domain = ${domain}`.execute(trx);
  // names below one domain are invented faster than anyone reads of them
  if (!isNew || counted.hasDropped || dropped > 0) return;
  const items = [{ host, url, kinds: [kind] }];
  await emit(trx, 'recorded', [{ type: 'copy.host_found', merchantId, storeId: store.id, items, at: now }]);
}

export interface FoundOnHost {
  readonly host: string;
  readonly url: string;
  readonly kind: 'certificate' | 'pictures' | 'name';
  readonly detail: object;
  readonly now: Date;
}

/**
 * Keeps the newest of each kind. What is found on a host from which everything was gone is new again.
 *
 * @returns whether the merchant is to be told: this kind was not there before, and it does not let the host be; and how many other hosts of
 *   the domain gave way
 */
export async function recordOnHost(
  trx: DatabaseTransaction,
  { id: storeId, merchantId }: StoreKey,
  { host, url, kind, detail, now }: FoundOnHost,
): Promise<{ readonly isNew: boolean; readonly dropped: number }> {
  const found = JSON.stringify({ [kind]: { ...detail, lastAt: now.toISOString() } });
  const checkAt = new Date(now.getTime() + LOOK_EVERY);
  const { rows } = await sql<{ is_new: boolean; is_first: boolean }>`
    with was as (
      select state, found from copy_hosts
      where merchant_id = ${merchantId} and store_id = ${storeId} and host = ${host})
    insert into copy_hosts as h (merchant_id, store_id, host, domain, url, found, state, first_at, last_at, check_at)
    values (${merchantId}, ${storeId}, ${host}, ${domainOf(host)}, ${url}, ${found}::jsonb, 'new', ${now}, ${now}, ${checkAt})
    on conflict (merchant_id, store_id, host) do update set url = excluded.url, last_at = excluded.last_at, missed = 0,
      found = case when h.state = 'gone' then excluded.found else h.found || excluded.found end,
      state = case when h.state = 'gone' then 'new' else h.state end,
      check_at = case when h.state = 'gone' then excluded.check_at else h.check_at end
    returning h.state in ('new', 'reported') and not exists (
      select from was where state <> 'gone' and jsonb_exists(found, ${kind})) as is_new,
      not exists (select from was) as is_first`.execute(trx);
  const [row] = rows;
  const dropped = row?.is_first === true ? await deleteOldest(trx, { id: storeId, merchantId }, host) : 0;
  return { isNew: row?.is_new === true, dropped };
}

/** Deletes the hosts of a domain beyond those found last, of those about which nothing is decided; never the present one. @returns how many */
async function deleteOldest(
  trx: DatabaseTransaction,
  { id: storeId, merchantId }: StoreKey,
  host: string,
): Promise<number> {
  const ofStore = sql`merchant_id = ${merchantId} and store_id = ${storeId}`;
  const { numAffectedRows } = await sql`
    delete from copy_hosts where ${ofStore} and host in (
      select host from copy_hosts
      where ${ofStore} and domain = ${domainOf(host)} and host <> ${host} and state in ('new', 'gone')
      order by last_at desc offset ${MAX_COPIES_OF_DOMAIN - 1})`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

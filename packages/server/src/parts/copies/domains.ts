import { MAX_COPY_DOMAINS } from '@touchstone/contract';
import { type RawBuilder, sql } from 'kysely';
import { getDomain } from 'tldts';
import type { StoreKey } from '../../core/registry/find-store.ts';
import type { DatabaseTransaction } from '../../platform/database/database.ts';

/**
 * Names below a registrable domain cost its owner nothing, so that they count together. Only the ICANN section of the Public
 * Suffix List counts: names below most private suffixes, such as those of hosting platforms, cost nothing either.
 */
export function domainOf(host: string): string {
  return getDomain(host, { extractHostname: false, validateHostname: false }) ?? host;
}

/** Whether a host is the merchant's own: with or without `www.`, it belongs to the same owner; a lost domain has been reported as lost. */
export const isOwnHost = (merchantId: RawBuilder<unknown>, host: string) => sql<boolean>`exists (
  select from domains own join stores of_own on of_own.merchant_id = own.merchant_id and of_own.id = own.store_id
  where own.merchant_id = ${merchantId} and of_own.deleted_at is null
    and own.hostname = any(${[host, `www.${host}`, host.replace(/^www\./, '')]}::text[]))`;

/**
 * Counts a finding on a domain, and keeps others from the domain until the transaction ends.
 *
 * @returns whether something of this domain had to give way to newer findings; undefined: the store has no room for another domain
 */
export async function countOnDomain(
  trx: DatabaseTransaction,
  { id: storeId, merchantId }: StoreKey,
  domain: string,
  now: Date,
): Promise<{ readonly hasDropped: boolean } | undefined> {
  const ofStore = sql`merchant_id = ${merchantId} and store_id = ${storeId}`;
  const { rows } = await sql<{ dropped: number }>`
    insert into copy_domains as d (merchant_id, store_id, domain, first_at, last_at, times)
    select ${merchantId}::uuid, ${storeId}::uuid, ${domain}, ${now}::timestamptz, ${now}::timestamptz, 1
    where exists (select from copy_domains where ${ofStore} and domain = ${domain})
      or (select count(*) from copy_domains where ${ofStore}) < ${MAX_COPY_DOMAINS}
    on conflict (merchant_id, store_id, domain) do update set last_at = excluded.last_at, times = d.times + 1
    returning dropped`.execute(trx);
  const [known] = rows;
  if (known !== undefined) return { hasDropped: known.dropped > 0 };
  // counted with the sweeps of the store, where there are any
  await sql`update sweep_stores set copies_more = copies_more + 1 where ${ofStore}`.execute(trx);
  return undefined;
}

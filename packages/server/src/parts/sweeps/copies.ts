import {
  type CopyList,
  type CopyListQuery,
  MAX_COPIES_OF_DOMAIN,
  MAX_COPY_DOMAINS,
} from '@touchstone/contract';
import { type Selectable, sql } from 'kysely';
import { getDomain } from 'tldts';
import { pageOf, type Registry } from '../../core/registry/context.ts';
import type { CoreEvents, CoreListener, Emit } from '../../core/registry/events.ts';
import { findStore, merchantOf, type StoreKey } from '../../core/registry/find-store.ts';
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts';
import type { CopiesTable, CopyDomainsTable } from '../../platform/database/tables.ts';
import type { Scope } from '../../platform/http/access.ts';

/** Days after which a copy that was not seen again is deleted. */
const RETENTION_DAYS = 90;

/** Records the copies that page checks find. */
export const copyRecords: CoreListener = { certificateCopied: recordCopy };

/**
 * Names below a registrable domain cost its owner nothing, so that they count together. Only the ICANN section of the Public
 * Suffix List counts: names below most private suffixes, such as those of hosting platforms, cost nothing either.
 */
function domainOf(host: string): string {
  return getDomain(host, { extractHostname: false, validateHostname: false }) ?? host;
}

type Copy = CoreEvents['certificateCopied'];

async function recordCopy(trx: DatabaseTransaction, copy: Copy, emit: Emit): Promise<void> {
  const { productId, host, url, now } = copy;
  const domain = domainOf(host);
  // the same name with or without www. belongs to the same owner; a lost domain has been reported as lost
  const { rows } = await sql<{ merchant_id: string; store_id: string; external_product_id: string }>`
    select p.merchant_id, p.store_id, p.external_product_id
    from products p where p.merchant_id = ${merchantOf(productId)} and p.id = ${productId} and p.deleted_at is null and not exists (
      select from domains d join stores s on s.merchant_id = d.merchant_id and s.id = d.store_id
      where d.merchant_id = p.merchant_id and s.deleted_at is null
        and d.hostname = any(${[host, `www.${host}`, host.replace(/^www\./, '')]}::text[]))`.execute(trx);
  const [product] = rows;
  if (product === undefined) return;
  const { merchant_id: merchantId, store_id: storeId, external_product_id: externalProductId } = product;
  const ofStore = sql`merchant_id = ${merchantId} and store_id = ${storeId}`;
  // first, which keeps others from this domain
  const { rows: counted } = await sql<{ dropped: number }>`
    insert into copy_domains as d (merchant_id, store_id, domain, first_at, last_at, times)
    select ${merchantId}::uuid, ${storeId}::uuid, ${domain}, ${now}::timestamptz, ${now}::timestamptz, 1
    where exists (select from copy_domains where ${ofStore} and domain = ${domain})
      or (select count(*) from copy_domains where ${ofStore}) < ${MAX_COPY_DOMAINS}
    on conflict (merchant_id, store_id, domain) do update set last_at = excluded.last_at, times = d.times + 1
    returning dropped`.execute(trx);
  const [known] = counted;
  if (known === undefined) {
    await sql`update sweep_stores set copies_more = copies_more + 1 where ${ofStore}`.execute(trx);
    return;
  }
  const { rows: written } = await sql<{ is_new: boolean }>`
    insert into copies as c (merchant_id, product_id, host, domain, store_id, url, first_at, last_at)
    values (${merchantId}, ${productId}, ${host}, ${domain}, ${storeId}, ${url}, ${now}, ${now})
    on conflict (merchant_id, product_id, host) do update set url = excluded.url, last_at = excluded.last_at, times = c.times + 1
    returning xmax = 0 as is_new`.execute(trx);
  if (written[0]?.is_new !== true) return;
  const dropped = known.dropped + (await dropOldest(trx, { id: storeId, merchantId }, domain, copy));
  // names below one domain are invented faster than anyone reads of them
  if (dropped > 0) return;
  const items = [{ productId, externalProductId, host, url }];
  await emit(trx, 'recorded', [{ type: 'copy.found', merchantId, storeId, items, at: now }]);
}

/** Deletes the copies of a domain beyond those found last, never the present one. @returns how many */
async function dropOldest(
  trx: DatabaseTransaction,
  { id: storeId, merchantId }: StoreKey,
  domain: string,
  { productId, host }: Copy,
): Promise<number> {
  const ofDomain = sql`merchant_id = ${merchantId} and store_id = ${storeId} and domain = ${domain}`;
  const { rows } = await sql<{ count: number }>`
    with deleted as (
      delete from copies where merchant_id = ${merchantId} and (product_id, host) in (
        select product_id, host from copies
        where ${ofDomain} and (product_id, host) <> (${productId}::uuid, ${host})
        order by last_at desc offset ${MAX_COPIES_OF_DOMAIN - 1})
      returning 1)
    update copy_domains set dropped = dropped + (select count(*) from deleted)
    where ${ofDomain} returning (select count(*)::int from deleted) as count`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** @returns how many were deleted */
export async function purgeCopies(db: Database, now: Date): Promise<number> {
  const until = new Date(now.getTime() - RETENTION_DAYS * 86_400_000);
  await db.deleteFrom('copy_domains').where('last_at', '<', until).execute();
  const { numDeletedRows } = await db.deleteFrom('copies').where('last_at', '<', until).executeTakeFirst();
  return Number(numDeletedRows);
}

type CopyRow = Pick<Selectable<CopiesTable>, 'product_id' | 'host' | 'url' | 'times'> & {
  readonly external_product_id: string;
  readonly first_at: string;
  readonly last_at: string;
};

type Row = Selectable<CopyDomainsTable> & { readonly copies: readonly CopyRow[] };

/** Copies of a store's certificates, by registrable domain, with those found last. Throws `store_unknown`. */
export async function listCopies(
  { db }: Pick<Registry, 'db'>,
  scope: Scope,
  storeId: string,
  { cursor = '', limit }: CopyListQuery,
): Promise<CopyList> {
  const { id, merchantId } = await findStore(db, scope, storeId);
  const { rows } = await sql<Row>`
    select d.*, (
      select coalesce(json_agg(c order by c.last_at desc, c.host, c.product_id), '[]') from (
        select c.*, p.external_product_id from copies c join products p on p.merchant_id = c.merchant_id and p.id = c.product_id
        where c.merchant_id = d.merchant_id and c.store_id = d.store_id and c.domain = d.domain
        order by c.last_at desc limit ${MAX_COPIES_OF_DOMAIN}) c) as copies
    from copy_domains d where d.merchant_id = ${merchantId} and d.store_id = ${id} and d.domain > ${cursor}
    order by d.domain limit ${limit + 1}`.execute(db);
  const { rows: kept } = await sql<{ more: number }>`
    select copies_more as more from sweep_stores where merchant_id = ${merchantId} and store_id = ${id}`.execute(
    db,
  );
  const { page, next } = pageOf(rows, limit, ({ domain }) => domain);
  const limits = { domains: MAX_COPY_DOMAINS, copiesOfDomain: MAX_COPIES_OF_DOMAIN };
  return { domains: page.map(toView), limits, more: kept[0]?.more ?? 0, ...next };
}

function toView({ domain, first_at, last_at, times, dropped, copies }: Row): CopyList['domains'][number] {
  return {
    domain,
    firstAt: first_at.toISOString(),
    lastAt: last_at.toISOString(),
    times,
    copies: copies.map((copy) => ({
      productId: copy.product_id,
      externalProductId: copy.external_product_id,
      host: copy.host,
      url: copy.url,
      firstAt: new Date(copy.first_at).toISOString(),
      lastAt: new Date(copy.last_at).toISOString(),
      times: copy.times,
    })),
    dropped,
  };
}

import {
  type CopyList,
  type CopyListQuery,
  MAX_COPIES_OF_DOMAIN,
  MAX_COPY_DOMAINS,
} from '@touchstone/contract';
import { type Selectable, sql } from 'kysely';
import { pageOf } from '../../core/registry/context.ts';
import type { CoreEvents, Emit } from '../../core/registry/events.ts';
import { findStore, merchantOf, type StoreKey } from '../../core/registry/find-store.ts';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { CopiesTable, CopyDomainsTable } from '../../platform/database/tables.ts';
import type { Scope } from '../../platform/http/access.ts';
import { countOnDomain, domainOf, isOwnHost } from './domains.ts';
import { recordOnHost } from './hosts.ts';
import { type HostContext, type ListedHost, readHosts } from './read-hosts.ts';

type Copy = CoreEvents['certificateCopied'];

/** Records a certificate that a page check has found on a host of somebody else. */
export async function recordCertificate(trx: DatabaseTransaction, copy: Copy, emit: Emit): Promise<void> {
  const { productId, host, url, now } = copy;
  const domain = domainOf(host);
  const { rows } = await sql<{ merchant_id: string; store_id: string; external_product_id: string }>`
    select p.merchant_id, p.store_id, p.external_product_id
    from products p where p.merchant_id = ${merchantOf(productId)} and p.id = ${productId} and p.deleted_at is null
      and not ${isOwnHost(sql`p.merchant_id`, host)}`.execute(trx);
  const [product] = rows;
  if (product === undefined) return;
  const { merchant_id: merchantId, store_id: storeId, external_product_id: externalProductId } = product;
  const store = { id: storeId, merchantId };
  const counted = await countOnDomain(trx, store, domain, now);
  if (counted === undefined) return;
  const { rows: written } = await sql<{ is_new: boolean }>`
    insert into copies as c (merchant_id, product_id, host, domain, store_id, url, first_at, last_at)
    values (${merchantId}, ${productId}, ${host}, ${domain}, ${storeId}, ${url}, ${now}, ${now})
    on conflict (merchant_id, product_id, host) do update set url = excluded.url, last_at = excluded.last_at, times = c.times + 1
    returning xmax = 0 as is_new`.execute(trx);
  await recordOnHost(trx, store, { host, url, kind: 'certificate', detail: {}, now });
  if (written[0]?.is_new !== true) return;
  const dropped = await dropOldest(trx, store, domain, copy);
  // names below one domain are invented faster than anyone reads of them
  if (counted.hasDropped || dropped > 0) return;
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

type CopyRow = Pick<Selectable<CopiesTable>, 'product_id' | 'host' | 'url' | 'times'> & {
  readonly external_product_id: string;
  readonly first_at: string;
  readonly last_at: string;
};

type Row = Selectable<CopyDomainsTable> & { readonly copies: readonly CopyRow[] };

/** What was found of a store on hosts of others, by registrable domain, the last first. Throws `store_unknown`. */
export async function listCopies(
  { db, trusted }: HostContext,
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
  const domains = page.map(({ domain }) => domain);
  const hosts = await readHosts({ db, trusted }, { id, merchantId }, sql`h.domain = any(${domains}::text[])`);
  const byDomain = Map.groupBy(hosts, ({ domain }) => domain);
  const limits = { domains: MAX_COPY_DOMAINS, copiesOfDomain: MAX_COPIES_OF_DOMAIN };
  return {
    domains: page.map((row) => toView(row, byDomain.get(row.domain) ?? [])),
    limits,
    more: kept[0]?.more ?? 0,
    ...next,
  };
}

function toView(
  { domain, first_at, last_at, times, dropped, copies }: Row,
  hosts: readonly ListedHost[],
): CopyList['domains'][number] {
  return {
    domain,
    firstAt: first_at.toISOString(),
    lastAt: last_at.toISOString(),
    times,
    hosts: hosts.map(({ view }) => view),
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

import type { FailingHosts } from '@touchstone/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';

/** Hosts in one answer. */
const MAX_HOSTS = 100;
/** Stores whose failures are examined: those with the most. */
const MAX_STORES = 100;
/** Images, and pages, counted per store. */
const MAX_PER_STORE = 200;

interface Row {
  readonly host: string;
  readonly code: string;
  readonly images: number;
  readonly pages: number;
  readonly last_at: Date;
}

/**
 * Hosts whose images could not be scanned or whose pages could not be fetched, with the reasons. Stores are found by their
 * counters, and a few rows of each are read by an index, so that the cost does not grow with the number of failures.
 */
export async function failingHosts(db: Database): Promise<FailingHosts> {
  const [images, pages] = await Promise.all([ofImages(db), ofPages(db)]);
  const hosts = new Map<string, Row[]>();
  for (const row of [...images.rows, ...pages.rows])
    hosts.set(row.host, [...(hosts.get(row.host) ?? []), row]);
  const listed = Array.from(hosts, ([host, rows]) => ({
    host,
    images: sum(rows.map((row) => row.images)),
    pages: sum(rows.map((row) => row.pages)),
    reasons: reasonsOf(rows),
    lastAt: new Date(Math.max(...rows.map(({ last_at }) => last_at.getTime()))).toISOString(),
  }))
    .toSorted((a, b) => b.images + b.pages - (a.images + a.pages) || (a.host < b.host ? -1 : 1))
    .slice(0, MAX_HOSTS);
  return { hosts: listed, complete: listed.length === hosts.size && images.complete && pages.complete };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function reasonsOf(rows: readonly Row[]): { code: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { code, images, pages } of rows) counts.set(code, (counts.get(code) ?? 0) + images + pages);
  return Array.from(counts, ([code, count]) => ({ code, count })).toSorted((a, b) => b.count - a.count);
}

interface Found {
  readonly rows: readonly Row[];
  readonly complete: boolean;
}

async function ofImages(db: Database): Promise<Found> {
  const { rows } = await sql<Row & { total: number; stores: number }>`
    with failing as (
      select store_id, sum(failed + retrying)::int as failed from image_counts c join stores s on s.id = c.store_id
      where s.deleted_at is null group by store_id having sum(failed + retrying) > 0
      order by 2 desc limit ${MAX_STORES + 1}),
    failure as (
      select j.resource as host, coalesce(j.failure->>'code', '') as code, (j.failure->>'at')::timestamptz as at
      from (select * from failing limit ${MAX_STORES}) t cross join lateral (
        (select resource, failure from jobs where queue = 'image-scans' and live and owner = t.store_id and result = 'failed'
          limit ${MAX_PER_STORE})
        union all
        (select resource, failure from jobs where queue = 'image-scans' and live and owner = t.store_id
          and failure is not null and result is distinct from 'failed' limit ${MAX_PER_STORE})) j
      where j.failure is not null)
    select host, code, count(*)::int as images, 0 as pages, max(at) as last_at,
      (select sum(failed)::int from failing) as total, (select count(*)::int from failing) as stores
    from failure where host <> '' group by host, code`.execute(db);
  return { rows, complete: isComplete(rows, sum(rows.map(({ images }) => images))) };
}

async function ofPages(db: Database): Promise<Found> {
  const { rows } = await sql<Row & { total: number; stores: number }>`
    with failing as (
      select c.merchant_id, c.store_id, c.pages
      from sweep_counts c join stores s on s.merchant_id = c.merchant_id and s.id = c.store_id
      where s.deleted_at is null and c.result = 'unreachable' and c.pages > 0 order by pages desc limit ${MAX_STORES + 1}),
    failure as (
      select p.host, split_part(page.reason, ':', 1) as code, page.checked_at as at
      from (select * from failing limit ${MAX_STORES}) t cross join lateral (
          select merchant_id, product_id, reason, checked_at from sweep_pages
          where merchant_id = t.merchant_id and store_id = t.store_id and result = 'unreachable' limit ${MAX_PER_STORE}) page
        join products p on p.merchant_id = page.merchant_id and p.id = page.product_id)
    select host, code, 0 as images, count(*)::int as pages, max(at) as last_at,
      (select sum(pages)::int from failing) as total, (select count(*)::int from failing) as stores
    from failure group by host, code`.execute(db);
  return { rows, complete: isComplete(rows, sum(rows.map(({ pages }) => pages))) };
}

function isComplete(rows: readonly { total: number; stores: number }[], seen: number): boolean {
  const [row] = rows;
  return row === undefined || (row.total <= seen && row.stores <= MAX_STORES);
}

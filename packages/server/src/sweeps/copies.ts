import { hostOf, isUuid } from '@touchstone/certificate/binding';
import type { CopyList, CopyListQuery } from '@touchstone/contract';
import { type Selectable, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { OnForeign } from '../page-checks/check-page.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, inTransaction } from '../platform/database/database.ts';
import type { CopiesTable } from '../platform/database/tables.ts';
import { recordEvent } from '../platform/events/record-event.ts';
import type { Scope } from '../platform/http/access.ts';
import { pageOf, type Registry } from '../registry/context.ts';
import { findStore } from '../registry/find-store.ts';

/** Copies recorded per store at most: checking pages on a million hosts of one's own must not fill the disk. */
export const MAX_COPIES = 1_000;
/** Milliseconds in which a process records a copy once, however often pages with it are checked. */
const RECORD_INTERVAL = 60_000;
const MAX_RECENT = 20_000;
const MAX_URL = 1_000;
/** Days after which a copy that was not seen again is deleted. */
const RETENTION_DAYS = 90;

export interface CopyOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
}

/** Records the copies that page checks find. It never fails a check: a copy that cannot be recorded is found again. */
export function createCopyRecorder({ db, clock, onFault }: CopyOptions): OnForeign {
  const recent = new LRUCache<string, true>({ max: MAX_RECENT, ttl: RECORD_INTERVAL });
  return async ({ productId, pageUrl }) => {
    const host = hostOf(pageUrl);
    const key = `${productId} ${host}`;
    if (host === null || recent.has(key)) return;
    recent.set(key, true);
    await recordCopy(db, { productId, host, url: shownUrl(pageUrl) }, clock()).catch(onFault);
  };
}

/** Without credentials, query and fragment, which may identify the person who checked the page. */
function shownUrl(pageUrl: string): string {
  const { origin, pathname } = new URL(pageUrl);
  return `${origin}${pathname}`.slice(0, MAX_URL);
}

interface Copy {
  readonly productId: string;
  readonly host: string;
  readonly url: string;
}

async function recordCopy(db: Database, { productId, host, url }: Copy, now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { rows: known } = await sql`
      update copies set url = ${url}, last_at = ${now}, times = times + 1
      where product_id = ${productId} and host = ${host} returning 1`.execute(trx);
    if (known.length > 0) return;
    // the same name with or without www. belongs to the same owner; a lost domain has been reported as lost
    const { rows } = await sql<{ store_id: string; external_product_id: string; has_room: boolean }>`
      select p.store_id, p.external_product_id,
        (select count(*) from (select from copies where store_id = p.store_id limit ${MAX_COPIES}) kept) < ${MAX_COPIES}
          as has_room
      from products p where p.id = ${productId} and p.deleted_at is null and not exists (
        select from domains d join stores s on s.id = d.store_id
        where s.merchant_id = p.merchant_id and s.deleted_at is null
          and d.hostname = any(${[host, `www.${host}`, host.replace(/^www\./, '')]}::text[]))`.execute(trx);
    const [product] = rows;
    if (product === undefined) return;
    const { store_id: storeId, external_product_id: externalProductId } = product;
    if (!product.has_room) {
      await sql`update sweep_stores set copies_more = copies_more + 1 where store_id = ${storeId}`.execute(
        trx,
      );
      return;
    }
    const { rows: added } = await sql`
      insert into copies (product_id, host, store_id, url, first_at, last_at)
      values (${productId}, ${host}, ${storeId}, ${url}, ${now}, ${now})
      on conflict (product_id, host) do nothing returning 1`.execute(trx);
    if (added.length === 0) return;
    const items = [{ productId, externalProductId, host, url }];
    await recordEvent(trx, { type: 'copy.found', storeId, items, at: now });
  });
}

/** @returns how many were deleted */
export async function purgeCopies(db: Database, now: Date): Promise<number> {
  const until = new Date(now.getTime() - RETENTION_DAYS * 86_400_000);
  const { numDeletedRows } = await db.deleteFrom('copies').where('last_at', '<', until).executeTakeFirst();
  return Number(numDeletedRows);
}

type Row = Selectable<CopiesTable> & { readonly external_product_id: string; readonly more: number };

/** Copies of a store's certificates, by product and host. Throws `store_unknown`. */
export async function listCopies(
  { db }: Pick<Registry, 'db'>,
  scope: Scope,
  storeId: string,
  { cursor, limit }: CopyListQuery,
): Promise<CopyList> {
  const { id } = await findStore(db, scope, storeId);
  const [product = '', host = ''] = (cursor ?? '').split(' ');
  const isCursor = isUuid(product);
  const { rows } = await sql<Row>`
    select c.*, p.external_product_id from copies c join products p on p.id = c.product_id
    where c.store_id = ${id} ${isCursor ? sql`and (c.product_id, c.host) > (${product}::uuid, ${host})` : sql``}
    order by c.product_id, c.host limit ${limit + 1}`.execute(db);
  const { rows: kept } = await sql<{ more: number }>`
    select copies_more as more from sweep_stores where store_id = ${id}`.execute(db);
  const { page, next } = pageOf(rows, limit, (row) => `${row.product_id} ${row.host}`);
  return { copies: page.map(toView), more: kept[0]?.more ?? 0, ...next };
}

function toView(row: Row) {
  return {
    productId: row.product_id,
    externalProductId: row.external_product_id,
    host: row.host,
    url: row.url,
    firstAt: row.first_at.toISOString(),
    lastAt: row.last_at.toISOString(),
    times: row.times,
  };
}

import type { PageReport } from '@touchstone/page';
import { sql } from 'kysely';
import { type Database, type DatabaseTransaction, inTransaction } from '../platform/database/database.ts';
import { type NewEvent, recordEvent } from '../platform/events/record-event.ts';
import type { PageFinding } from './judge-page.ts';
import type { DuePage } from './next-pages.ts';

/** A page that was checked, and what was found. */
export interface CheckedPage {
  readonly page: DuePage;
  readonly report: PageReport;
  readonly finding: PageFinding;
  /** When the check began: what was asked for or changed since then is not answered by it. */
  readonly begunAt: Date;
  readonly now: Date;
}

interface Known {
  readonly result: string | null;
  readonly expiring: boolean;
}

/** The turn of a page whose product has changed: before all others. */
const CHANGED = sql`'-infinity'`;

/** Records what a check found, with the counts of the store and with events for what became worse. */
export async function recordPage(db: Database, storeId: string, checked: CheckedPage): Promise<void> {
  const { page, report, finding, begunAt, now } = checked;
  await inTransaction(db, async (trx) => {
    await lockStore(trx, storeId);
    await lockPages(trx, [page.productId]);
    const before = await readPage(trx, page.productId);
    const turn = (await isAsLoaded(trx, page)) ? begunAt : CHANGED;
    const landing = report.final_url === report.url ? null : report.final_url.slice(0, 2_000);
    await sql`
      insert into sweep_pages as p (product_id, store_id, turn, result, verdict, reason, landing, report_id, carried, expires_at,
        expiring, checked_at, since)
      values (${page.productId}, ${storeId}, ${turn}, ${finding.result}, ${report.verdict}, ${finding.reason}, ${landing},
        ${report.id}, ${finding.carried}, ${finding.expiresAt}, ${finding.expiring}, ${now}, ${now})
      on conflict (product_id) do update set turn = excluded.turn, result = excluded.result, verdict = excluded.verdict,
        reason = excluded.reason, landing = excluded.landing, report_id = excluded.report_id, carried = excluded.carried,
        expires_at = excluded.expires_at, expiring = excluded.expiring, checked_at = excluded.checked_at,
        since = case when p.result = excluded.result then p.since else excluded.since end`.execute(trx);
    await count(trx, storeId, before, finding);
    const today = now.toISOString().slice(0, 10);
    await sql`
      update sweep_stores set checked_at = ${now}, spent_on = ${today}::date,
        spent = case when spent_on = ${today}::date then spent + 1 else 1 end
      where store_id = ${storeId}`.execute(trx);
    for (const type of worse(before, finding)) {
      const { productId, externalProductId, url } = page;
      const ends = finding.expiresAt === null ? {} : { expiresAt: finding.expiresAt.toISOString() };
      await recordEvent(trx, {
        type,
        storeId,
        items: [{ productId, externalProductId, url, ...ends }],
        at: now,
      });
    }
  });
}

/** Products that are not active any more have no page that is to carry anything. */
export async function forgetPages(
  db: Database,
  storeId: string,
  productIds: readonly string[],
): Promise<void> {
  if (productIds.length === 0) return;
  await inTransaction(db, async (trx) => {
    await lockStore(trx, storeId);
    await lockPages(trx, productIds);
    const { rows } = await sql<Known>`
      delete from sweep_pages where product_id = any(${productIds}::uuid[]) and product_id not in (
        select id from products p where id = any(${productIds}::uuid[])
          and product_standing(p.deleted_at, p.disabled, p.visible, p.host_known, p.slot_order) = 'active')
      returning result, expiring`.execute(trx);
    for (const before of rows) await count(trx, storeId, before, { result: null, expiring: false });
  });
}

/** Counts, and what was visited, are changed by one at a time. */
async function lockStore(trx: DatabaseTransaction, storeId: string): Promise<void> {
  await sql`select from sweep_stores where store_id = ${storeId} for update`.execute(trx);
}

/** A change of a product that is not committed yet holds its page: what is read behind this is read with it. */
async function lockPages(trx: DatabaseTransaction, productIds: readonly string[]): Promise<void> {
  await sql`
    select from sweep_pages where product_id = any(${productIds}::uuid[]) order by product_id for update`.execute(
    trx,
  );
}

/** Whether what was checked is still the page of an active product. */
async function isAsLoaded(trx: DatabaseTransaction, page: DuePage): Promise<boolean> {
  const { rows } = await sql`
    select from products p where id = ${page.productId} and url = ${page.url} and name = ${page.name}
      and product_standing(p.deleted_at, p.disabled, p.visible, p.host_known, p.slot_order) = 'active'`.execute(
    trx,
  );
  return rows.length === 1;
}

async function readPage(trx: DatabaseTransaction, productId: string): Promise<Known> {
  const { rows } = await sql<Known>`
    select result, expiring from sweep_pages where product_id = ${productId}`.execute(trx);
  return rows[0] ?? { result: null, expiring: false };
}

async function count(trx: DatabaseTransaction, storeId: string, before: Known, after: Known): Promise<void> {
  const differences = new Map<string, number>();
  const add = (name: string | null, by: number) => {
    if (name !== null) differences.set(name, (differences.get(name) ?? 0) + by);
  };
  add(before.result, -1);
  add(after.result, 1);
  add('expiring', Number(after.expiring) - Number(before.expiring));
  for (const [name, by] of differences) {
    if (by === 0) continue;
    await sql`
      insert into sweep_counts as c (store_id, result, pages) values (${storeId}, ${name}, ${by})
      on conflict (store_id, result) do update set pages = c.pages + excluded.pages`.execute(trx);
  }
}

/** What is told when it comes to be so, not while it stays so. */
function worse(before: Known, { result, expiring }: PageFinding): NewEvent['type'][] {
  return [
    ...(expiring && !before.expiring ? (['certificate.expiring_on_page'] as const) : []),
    ...(result === 'expired' && before.result !== 'expired'
      ? (['certificate.expired_on_page'] as const)
      : []),
    ...(result === 'lost' && before.result !== 'lost' ? (['certificate.lost_on_page'] as const) : []),
  ];
}

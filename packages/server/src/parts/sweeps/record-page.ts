import { isAboutAnotherPage } from '@touchstone/certificate';
import { hostOf } from '@touchstone/certificate/binding';
import type { PageReport } from '@touchstone/page';
import { sql } from 'kysely';
import type { Emit } from '../../core/registry/events.ts';
import type { StoreKey } from '../../core/registry/find-store.ts';
import type { RecordedDrift } from '../../platform/database/column-types.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import type { NewEvent } from '../../platform/events/new-event.ts';
import type { PageComparison } from './compare-page.ts';
import { driftView, followDrift } from './follow-drift.ts';
import type { PageFinding } from './judge-page.ts';
import type { DuePage } from './next-pages.ts';

/** A page that was checked, and the result. */
export interface CheckedPage {
  readonly page: DuePage;
  readonly report: PageReport;
  readonly finding: PageFinding;
  readonly comparison: PageComparison;
  /** No later than when the page was found to be due: the check covers no request made after that. */
  readonly begunAt: Date;
  readonly now: Date;
}

/** What is counted of a page. */
interface PageState {
  readonly result: string | null;
  readonly expiring: boolean;
}

interface RecordedPage extends PageState {
  /** When it first had this result. */
  readonly since: Date | null;
  /** An event has reported that the page cannot be reached. */
  readonly unreachable_reported: boolean;
  readonly drift: readonly RecordedDrift[];
}

/** Milliseconds for which a page cannot be reached until that is reported. */
export const UNREACHABLE_FOR = 86_400_000;

/** Sorts a page before all that were checked. */
const FIRST = sql`'-infinity'`;

/** Records the result of a check, updates the counts of the store, and records events for what became worse. */
export async function recordPage(
  { db, emit }: { readonly db: Database; readonly emit: Emit },
  store: StoreKey,
  checked: CheckedPage,
): Promise<void> {
  const { page, report, finding, comparison, begunAt, now } = checked;
  const { id: storeId, merchantId } = store;
  await inTransaction(db, async (trx) => {
    await lockStore(trx, store);
    await lockPages(trx, merchantId, [page.productId]);
    const before = await readPage(trx, merchantId, page.productId);
    const isCurrent = await isUnchanged(trx, merchantId, page);
    const turn = isCurrent ? begunAt : FIRST;
    const isUnreachable = finding.result === 'unreachable';
    const reportsUnreachable = isUnreachable && isOverdue(before, now);
    const seenAt = new Date(report.fetched_at);
    const { drift, told } = followDrift(before.drift, comparison, seenAt);
    const isDrifted = drift.some(({ toldAt }) => toldAt !== undefined);
    const landing = report.final_url === report.url ? null : report.final_url.slice(0, 2_000);
    await sql`
      insert into sweep_pages as p (merchant_id, product_id, store_id, turn, result, verdict, reason, landing, report_id, carried, expires_at,
        expiring, unreachable_reported, drift, drifted, checked_at, since)
      values (${merchantId}, ${page.productId}, ${storeId}, ${turn}, ${finding.result}, ${report.verdict}, ${finding.reason}, ${landing},
        ${report.id}, ${finding.carried}, ${finding.expiresAt}, ${finding.expiring},
        ${isUnreachable && (before.unreachable_reported || reportsUnreachable)}, ${JSON.stringify(drift)}::jsonb, ${isDrifted},
        ${seenAt}, ${seenAt})
      on conflict (merchant_id, product_id) do update set turn = excluded.turn, result = excluded.result, verdict = excluded.verdict,
        reason = excluded.reason, landing = excluded.landing, report_id = excluded.report_id, carried = excluded.carried,
        expires_at = excluded.expires_at, expiring = excluded.expiring, unreachable_reported = excluded.unreachable_reported,
        drift = excluded.drift, drifted = excluded.drifted,
        checked_at = excluded.checked_at,
        since = case when p.result = excluded.result then p.since else excluded.since end`.execute(trx);
    await updateCounts(trx, store, before, finding);
    const today = now.toISOString().slice(0, 10);
    await sql`
      update sweep_stores set checked_at = greatest(checked_at, ${seenAt}::timestamptz), spent_on = ${today}::date,
        spent = case when spent_on = ${today}::date then spent + 1 else 1 end
      where merchant_id = ${merchantId} and store_id = ${storeId}`.execute(trx);
    const { productId, externalProductId, url } = page;
    if (isCurrent && finding.result !== 'unreachable' && isOwnPage(report))
      await emit(trx, 'ownPageRead', { merchantId, productId, description: report.facts.description?.value });
    const expiry = finding.expiresAt === null ? {} : { expiresAt: finding.expiresAt.toISOString() };
    const event = (type: NewEvent['type'], more: object): NewEvent => ({
      type,
      merchantId,
      storeId,
      items: [{ productId, externalProductId, url, ...more }],
      at: now,
    });
    const unreachable = { since: before.since?.toISOString(), reason: finding.reason };
    await emit(trx, 'recorded', [
      ...eventsFor(before, finding).map((type) => event(type, expiry)),
      ...(reportsUnreachable ? [event('page.unreachable', unreachable)] : []),
      ...(told.length > 0 ? [event('page.drifted', { drift: told.map(driftView) })] : []),
    ]);
  });
}

/** Whether what was read is the page of the product, and not one elsewhere to which its address led. */
const isOwnPage = (report: PageReport) =>
  hostOf(report.final_url) === hostOf(report.url) && !isAboutAnotherPage(report);

/** Deletes the records of pages whose products are no longer active: these pages need no certificate. */
export async function deletePages(
  db: Database,
  store: StoreKey,
  productIds: readonly string[],
): Promise<void> {
  const { merchantId } = store;
  if (productIds.length === 0) return;
  await inTransaction(db, async (trx) => {
    await lockStore(trx, store);
    await lockPages(trx, merchantId, productIds);
    const { rows } = await sql<PageState>`
      delete from sweep_pages where merchant_id = ${merchantId} and product_id = any(${productIds}::uuid[]) and product_id not in (
        select id from products p where merchant_id = ${merchantId} and id = any(${productIds}::uuid[])
          and product_standing(p.deleted_at, p.disabled, p.visible, p.host_known, p.slot_order) = 'active')
      returning result, expiring`.execute(trx);
    for (const before of rows) await updateCounts(trx, store, before, { result: null, expiring: false });
  });
}

/** Serialises updates of the store's counts and of `visited_to`. */
async function lockStore(trx: DatabaseTransaction, { id, merchantId }: StoreKey): Promise<void> {
  await sql`select from sweep_stores where merchant_id = ${merchantId} and store_id = ${id} for update`.execute(
    trx,
  );
}

/** A transaction that changes a product locks its page: what is read after this lock includes that change. */
async function lockPages(
  trx: DatabaseTransaction,
  merchantId: string,
  productIds: readonly string[],
): Promise<void> {
  await sql`
    select from sweep_pages where merchant_id = ${merchantId} and product_id = any(${productIds}::uuid[])
    order by product_id for update`.execute(trx);
}

/** Whether the checked page still is that of an active product, with the same address and name. */
async function isUnchanged(trx: DatabaseTransaction, merchantId: string, page: DuePage): Promise<boolean> {
  const { rows } = await sql`
    select from products p where merchant_id = ${merchantId} and id = ${page.productId} and url = ${page.url} and name = ${page.name}
      and product_standing(p.deleted_at, p.disabled, p.visible, p.host_known, p.slot_order) = 'active'`.execute(
    trx,
  );
  return rows.length === 1;
}

async function readPage(
  trx: DatabaseTransaction,
  merchantId: string,
  productId: string,
): Promise<RecordedPage> {
  const { rows } = await sql<RecordedPage>`
    select result, expiring, since, unreachable_reported, drift from sweep_pages
    where merchant_id = ${merchantId} and product_id = ${productId}`.execute(trx);
  return rows[0] ?? { result: null, expiring: false, since: null, unreachable_reported: false, drift: [] };
}

/** Whether the page could not be reached for a day, which was not reported yet. */
function isOverdue({ result, since, unreachable_reported }: RecordedPage, now: Date): boolean {
  if (result !== 'unreachable' || since === null || unreachable_reported) return false;
  return now.getTime() - since.getTime() >= UNREACHABLE_FOR;
}

async function updateCounts(
  trx: DatabaseTransaction,
  { id, merchantId }: StoreKey,
  before: PageState,
  after: PageState,
): Promise<void> {
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
      insert into sweep_counts as c (merchant_id, store_id, result, pages) values (${merchantId}, ${id}, ${name}, ${by})
      on conflict (merchant_id, store_id, result) do update set pages = c.pages + excluded.pages`.execute(
      trx,
    );
  }
}

/** An event reports the beginning of a state, not that it lasts. */
function eventsFor(before: PageState, { result, expiring }: PageFinding): NewEvent['type'][] {
  return [
    ...(expiring && !before.expiring ? (['certificate.expiring_on_page'] as const) : []),
    ...(result === 'expired' && before.result !== 'expired'
      ? (['certificate.expired_on_page'] as const)
      : []),
    ...(result === 'lost' && before.result !== 'lost' ? (['certificate.lost_on_page'] as const) : []),
  ];
}

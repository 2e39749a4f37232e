import type { PageVerdict } from '@touchstone/certificate';
import type { Sweep, SweepPageList, SweepPageQuery } from '@touchstone/contract';
import { SWEEP_CODES, SWEEP_RESULTS, type SweepResultName } from '@touchstone/contract/codes';
import { sql } from 'kysely';
import { pageOf, type Registry } from '../../core/registry/context.ts';
import { findStore } from '../../core/registry/find-store.ts';
import type { RecordedDrift } from '../../platform/database/column-types.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';
import { orderJob } from '../../platform/jobs/order-jobs.ts';
import { driftView } from './follow-drift.ts';
import { SWEEPS } from './order-sweeps.ts';
import type { SweepSettings } from './sweep-job.ts';

/** Dependencies of the use cases of sweeps. */
export interface SweepContext extends Pick<Registry, 'db' | 'clock'> {
  readonly settings: SweepSettings;
  /** False: this service checks no pages by itself. */
  readonly isOn: boolean;
}

const RESULTS = Object.keys(SWEEP_RESULTS) as SweepResultName[];
/** Products that were never checked, and pages that drifted, are counted up to this number. */
const MAX_COUNTED = 10_000;

interface Row {
  readonly counts: Readonly<Record<string, number>> | null;
  readonly checked_at: Date | null;
  readonly spent: number;
  readonly waiting: number;
  readonly copies: number;
  readonly drifted: number;
  readonly state: string;
  readonly due_at: Date | null;
}

/** The state of a store's pages. Throws `store_unknown`. */
export async function getSweep(context: SweepContext, scope: Scope, storeId: string): Promise<Sweep> {
  const { id, merchantId } = await findStore(context.db, scope, storeId);
  const today = context.clock().toISOString().slice(0, 10);
  const { rows } = await sql<Row>`
    with j as materialized (select state, due_at from jobs where queue = ${SWEEPS} and subject = ${id})
    select w.checked_at, case when w.spent_on = ${today}::date then w.spent else 0 end as spent, j.state, j.due_at,
      (select jsonb_object_agg(result, pages) from sweep_counts
        where merchant_id = ${merchantId} and store_id = ${id}) as counts,
      (select count(*)::int from (
        select 1 from products where merchant_id = ${merchantId} and store_id = ${id} and created_order > w.visited_to
          and product_standing(deleted_at, disabled, visible, host_known, slot_order) = 'active' limit ${MAX_COUNTED}) p)
        as waiting,
      (select count(*)::int from (
        select from sweep_pages where merchant_id = ${merchantId} and store_id = ${id} and drifted limit ${MAX_COUNTED}) d)
        as drifted,
      (select count(distinct domain)::int from copies where merchant_id = ${merchantId} and store_id = ${id}) as copies
    from sweep_stores w cross join j
    where w.merchant_id = ${merchantId} and w.store_id = ${id}`.execute(context.db);
  const [row] = rows;
  if (row === undefined) throw new Error(`no sweep is recorded for store ${id}`);
  return toView(row, context);
}

function toView(row: Row, { settings, isOn }: SweepContext): Sweep {
  const count = (name: string) => row.counts?.[name] ?? 0;
  const by = Object.fromEntries(RESULTS.map((name) => [name, count(name)])) as Record<
    SweepResultName,
    number
  >;
  const checked = RESULTS.reduce((sum, name) => sum + by[name], 0);
  const isSpent = row.spent >= settings.perDay;
  const states = { idle: 'idle', running: 'working', ready: 'working', scheduled: 'waiting' } as const;
  const state = states[row.state as keyof typeof states] ?? 'waiting';
  return {
    state: !isOn ? 'off' : isSpent && state === 'waiting' ? 'budget_spent' : state,
    summary: summaryOf(by, checked, row),
    pages: { checked, waiting: row.waiting, ...by, expiring: count('expiring'), drifted: row.drifted },
    problems: RESULTS.filter((name) => name !== 'verified' && by[name] > 0).map((name) => ({
      result: name,
      count: by[name],
      sentence: SWEEP_RESULTS[name].sentence,
      nextStep: SWEEP_RESULTS[name].nextStep,
    })),
    ...(row.checked_at === null ? {} : { checkedAt: row.checked_at.toISOString() }),
    ...(isOn && row.due_at !== null ? { nextAt: row.due_at.toISOString() } : {}),
    budget: {
      checkedToday: row.spent,
      perDay: settings.perDay,
      perHostPerMinute: settings.perHost,
      everyHours: settings.every / 3_600_000,
    },
    copies: row.copies,
  };
}

/** "1,986 of 2,000 pages verified, 9 expired, 3 lost theirs, 2 served from a stale cache." */
function summaryOf(
  by: Readonly<Record<SweepResultName, number>>,
  checked: number,
  { waiting, drifted }: Pick<Row, 'waiting' | 'drifted'>,
): string {
  const number = (count: number) => count.toLocaleString('en-US');
  if (checked === 0 && waiting === 0) return 'There is no page to check.';
  const others = (['expired', 'lost', 'stale', 'missing', 'failed', 'unreachable'] as const)
    .filter((name) => by[name] > 0)
    .map((name) => `, ${number(by[name])} ${SWEEP_RESULTS[name].counted}`);
  const upTo = (count: number) => `${number(count)}${count === MAX_COUNTED ? ' or more' : ''}`;
  const more = [
    ...(drifted === 0 ? [] : [`; ${upTo(drifted)} differ from the catalogue`]),
    ...(waiting === 0 ? [] : [`; ${upTo(waiting)} not checked yet`]),
  ].join('');
  return `${number(by.verified)} of ${number(checked)} pages verified${others.join('')}${more}.`;
}

/** Orders a check of all pages, each fetched after now. Throws `store_unknown`; `conflict` where sweeps are turned off. */
export async function beginSweep(context: SweepContext, scope: Scope, storeId: string): Promise<Sweep> {
  const { id, merchantId } = await findStore(context.db, scope, storeId);
  if (!context.isOn) {
    throw new ServiceError('conflict', {
      message: 'This service does not check pages periodically (TOUCHSTONE_SWEEPS).',
    });
  }
  await inTransaction(context.db, async (trx) => {
    await sql`
      update sweep_stores set due_before = ${context.clock()}, begun_at = statement_timestamp()
      where merchant_id = ${merchantId} and store_id = ${id}`.execute(trx);
    await orderJob(trx, SWEEPS, { subject: id, owner: merchantId });
  });
  return getSweep(context, scope, id);
}

interface PageRow {
  readonly productId: string;
  readonly externalProductId: string;
  readonly url: string;
  readonly result: SweepResultName;
  readonly verdict: PageVerdict;
  readonly reason: string;
  readonly landing: string | null;
  readonly reportId: string;
  readonly expires_at: Date | null;
  readonly expiring: boolean;
  readonly checked_at: Date;
  readonly since: Date;
  readonly drift: readonly RecordedDrift[];
}

/** Checked pages, optionally of one result or verdict; in the order of their products' ids. Throws `store_unknown`. */
export async function listSweepPages(
  context: SweepContext,
  scope: Scope,
  storeId: string,
  query: SweepPageQuery,
): Promise<SweepPageList> {
  const { id, merchantId } = await findStore(context.db, scope, storeId);
  const { limit, result, verdict, drifted, cursor } = query;
  const { rows } = await sql<PageRow>`
    select s.product_id as "productId", p.external_product_id as "externalProductId", p.url, s.result, s.verdict, s.reason,
      s.landing, s.report_id as "reportId", s.expires_at, s.expiring, s.checked_at, s.since, s.drift
    from sweep_pages s join products p on p.merchant_id = s.merchant_id and p.id = s.product_id
    where s.merchant_id = ${merchantId} and s.store_id = ${id} and s.result is not null
      ${result === undefined ? sql`` : sql`and s.result = ${result}`}
      ${verdict === undefined ? sql`` : sql`and s.verdict = ${verdict}`}
      ${drifted === undefined ? sql`` : sql`and s.drifted`}
      ${cursor === undefined ? sql`` : sql`and s.product_id > ${cursor}`}
    order by s.product_id limit ${limit + 1}`.execute(context.db);
  const { page, next } = pageOf(rows, limit, ({ productId }) => productId);
  return { pages: page.map(toPage), ...next };
}

function toPage({ expires_at, expiring, checked_at, since, landing, drift, reason: found, ...row }: PageRow) {
  const { nextStep } = SWEEP_RESULTS[row.result];
  const told = drift.filter(({ toldAt }) => toldAt !== undefined).map(driftView);
  const reason = found === '' && told.length > 0 ? `page_drifted: ${SWEEP_CODES.page_drifted}` : found;
  return {
    ...row,
    ...(reason === '' ? {} : { reason }),
    ...(nextStep === '' ? {} : { nextStep }),
    ...(landing === null ? {} : { landing }),
    ...(expires_at === null ? {} : { expiresAt: expires_at.toISOString() }),
    ...(expiring ? { expiring } : {}),
    ...(told.length === 0 ? {} : { drift: told }),
    checkedAt: checked_at.toISOString(),
    since: since.toISOString(),
  };
}

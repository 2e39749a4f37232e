import { sql } from 'kysely';
import type { CheckPage } from '../../core/page-checks/check-page.ts';
import type { Emit } from '../../core/registry/events.ts';
import type { StoreKey } from '../../core/registry/find-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, inTransaction } from '../../platform/database/database.ts';
import { spendBudgets } from '../../platform/database/rate-windows.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import { comparePage } from './compare-page.ts';
import { isReplaced, judgeSweptPage } from './judge-page.ts';
import { type DuePage, nextPages, nextRecheck } from './next-pages.ts';
import { deletePages, recordPage, UNREACHABLE_FOR } from './record-page.ts';

/** How many pages are checked, and how often. */
export interface SweepSettings {
  /** Pages of one store a day (UTC). */
  readonly perDay: number;
  /** Pages of one host in any minute. */
  readonly perHost: number;
  /** Pages of all hosts in any minute. */
  readonly inAll: number;
  /** Milliseconds between two checks of a page, where the budgets allow it. */
  readonly every: number;
}

export interface SweepOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly checkPage: CheckPage;
  readonly emit: Emit;
  readonly settings: SweepSettings;
  readonly onPage?: (result: string) => void;
}

/** Pages that one run of a job checks, so that other stores are served in between. */
const BATCH = 20;
/** Seconds of the budgets per host and in all. */
const BUDGET_WINDOW = 60;
/** Seconds at least between two runs of a store whose budgets were spent, so that each run checks several pages. */
const MIN_PAUSE = 20;
/** Seconds until the next run for a store whose merchant is paused. */
const PAUSED_DELAY = 3_600;
/** Seconds after a fault on our side. */
const FAULT_DELAY = 60;
/** Seconds at least between two runs of a store without pages due, so that one run checks all that become due meanwhile. */
const MIN_DELAY = 300;

/** Checks the next pages of a store, one after another, and schedules the next run. */
export async function runSweep(job: Job, options: SweepOptions, signal: AbortSignal): Promise<void> {
  const { db, queue, clock } = options;
  // before the store is read: what is requested later is not overlooked
  const begunAt = clock();
  const store = await readStore(db, job);
  if (store === null) {
    await queue.drop(job);
    return;
  }
  try {
    const again = store.paused ? PAUSED_DELAY : await sweepBatch(store, begunAt, options, signal);
    await inTransaction(db, (trx) => queue.finish(trx, job, { result: 'done' }, again));
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError)) throw error;
    const { code, publicMessage: detail, retryAfter = FAULT_DELAY } = error;
    const failure = { code, detail, at: clock().toISOString(), attempts: job.attempt };
    await inTransaction(db, (trx) => queue.postpone(trx, job, failure, Math.max(MIN_PAUSE, retryAfter)));
  }
}

interface Store {
  readonly id: string;
  readonly merchantId: string;
  readonly paused: boolean;
  readonly due_before: Date | null;
  readonly spent_on: string | null;
  readonly spent: number;
}

async function readStore(db: Database, { subject: storeId, owner }: Job): Promise<Store | null> {
  const { rows } = await sql<Store>`
    select s.id, s.merchant_id as "merchantId", m.paused, w.due_before, w.spent_on::text, w.spent
    from stores s join merchants m on m.id = s.merchant_id join sweep_stores w on w.merchant_id = s.merchant_id and w.store_id = s.id
    where s.merchant_id = ${owner} and s.id = ${storeId} and s.deleted_at is null`.execute(db);
  return rows[0] ?? null;
}

/** @returns seconds until the next run; 0: as soon as a product is new or changed */
async function sweepBatch(
  store: Store,
  now: Date,
  options: SweepOptions,
  signal: AbortSignal,
): Promise<number> {
  const { db, settings } = options;
  const left = settings.perDay - (store.spent_on === now.toISOString().slice(0, 10) ? store.spent : 0);
  if (left <= 0) return secondsToMidnight(now);
  const intervalAgo = new Date(now.getTime() - settings.every);
  const dueBefore =
    store.due_before !== null && store.due_before > intervalAgo ? store.due_before : intervalAgo;
  const unreachableSince = new Date(now.getTime() - UNREACHABLE_FOR);
  const due = { limit: Math.min(BATCH, left), dueBefore, unreachableSince };
  const pages = await nextPages(db, store, due);
  const inactive = pages.filter(({ isActive }) => !isActive).map(({ productId }) => productId);
  await deletePages(db, store, inactive);
  const wait = await checkPages(
    { store, begunAt: now, pages: pages.filter(({ isActive }) => isActive) },
    options,
    signal,
  );
  if (wait !== null) return Math.max(MIN_PAUSE, wait);
  return pages.length > 0 ? 1 : secondsToNext(db, store, now, settings.every);
}

interface Batch {
  readonly store: StoreKey;
  readonly begunAt: Date;
  readonly pages: readonly DuePage[];
}

/** @returns seconds until a budget that was spent allows the next fetch; `null`: every page was checked */
async function checkPages(
  { store, begunAt, pages }: Batch,
  options: SweepOptions,
  signal: AbortSignal,
): Promise<number | null> {
  const { db, clock, settings, checkPage, onPage } = options;
  for (const page of pages) {
    signal.throwIfAborted();
    const budgets = [
      { name: `sweep:host:${page.host}`, limit: settings.perHost },
      { name: 'sweep:all', limit: settings.inAll },
    ];
    const spent = await spendBudgets(db, budgets, BUDGET_WINDOW);
    if (spent !== null) return Math.ceil(spent.reset);
    const caller = `sweep:${store.id}`;
    const since = page.since ?? undefined;
    const answer = await checkPage({ url: page.url, freshness: 'cached', since, caller, signal });
    const { report } = answer;
    const now = clock();
    const product = await readProduct(db, store.merchantId, page);
    const finding = judgeSweptPage(report, product, now);
    const comparison = comparePage(page.product, answer, isReplaced(report, product));
    await recordPage(options, store, { page, report, finding, comparison, begunAt, now });
    onPage?.(finding.result);
  }
  return null;
}

async function readProduct(db: Database, merchantId: string, { productId, carried }: DuePage) {
  const { rows } = await sql<{ issued_at: Date }>`
    select issued_at from proofs
    where merchant_id = ${merchantId} and kind = 'product' and subject_id = ${productId} and signature is not null
    order by issued_at desc limit 1`.execute(db);
  return { productId, carried, currentSince: rows[0]?.issued_at ?? null };
}

async function secondsToNext(db: Database, store: StoreKey, now: Date, every: number): Promise<number> {
  const due = await nextRecheck(db, store, { every, unreachableFor: UNREACHABLE_FOR });
  if (due === null) return 0;
  return Math.max(MIN_DELAY, Math.ceil((due.getTime() - now.getTime()) / 1_000));
}

function secondsToMidnight(now: Date): number {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
  // the queue varies the time by a tenth, so a job may run that much early
  return Math.ceil((midnight - now.getTime()) / 1_000 / 0.9) + BUDGET_WINDOW;
}

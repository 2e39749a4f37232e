import { MAX_PICTURE_WAIT } from '@touchstone/contract';
import { sql } from 'kysely';
import type { CheckPage, PageCheckAnswer } from '../../core/page-checks/check-page.ts';
import type { PagePictures } from '../../core/page-checks/page-pictures.ts';
import type { Emit } from '../../core/registry/events.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, inTransaction } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import { LOOK_EVERY } from './hosts.ts';

export interface LookAgainOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly checkPage: CheckPage;
  /** Absent: nobody looks for pictures. */
  readonly pagePictures?: PagePictures | undefined;
}

/** Hosts of one run, each of another merchant, so that no merchant's many hosts keep those of others waiting. */
const AT_ONCE = 20;
/** Looks in a row that find nothing, after which a host is said to have nothing any more. */
const MOST_MISSED = 2;
/** Milliseconds until the next attempt, if a budget was spent or the fault is ours. */
const LATER = 600_000;
/** Milliseconds in which what was found is not recorded again (`report-copies.ts`). */
const JUST_FOUND = 60_000;

interface Due {
  readonly merchant_id: string;
  readonly store_id: string;
  readonly host: string;
  readonly url: string;
  readonly found: Readonly<Record<string, unknown>>;
}

/**
 * Checks the pages of hosts with copies that are due. What is found is recorded as of any page check; what is not, twice in a row, is gone.
 *
 * @returns how many were looked at
 */
export async function lookAgain(options: LookAgainOptions, signal: AbortSignal): Promise<number> {
  const { db, clock } = options;
  const { rows: due } = await sql<Due>`
    select * from (
      select distinct on (merchant_id) merchant_id, store_id, host, url, found, check_at
      from copy_hosts where check_at <= ${clock()} order by merchant_id, check_at) next
    order by check_at limit ${AT_ONCE}`.execute(db);
  let looked = 0;
  for (const host of due) {
    signal.throwIfAborted();
    if (!(await claim(host, options))) continue;
    looked += 1;
    try {
      await lookAt(host, options, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof ServiceError)) throw error;
      const later = new Date(clock().getTime() + LATER);
      await sql`update copy_hosts set check_at = ${later} where ${rowOf(host)} and check_at is not null`.execute(
        db,
      );
    }
  }
  return looked;
}

const rowOf = ({ merchant_id, store_id, host }: Due) =>
  sql`merchant_id = ${merchant_id} and store_id = ${store_id} and host = ${host}`;

/** Takes its turn, unless another node has. */
async function claim(host: Due, { db, clock }: LookAgainOptions): Promise<boolean> {
  const now = clock();
  const { numAffectedRows } = await sql`
    update copy_hosts set check_at = ${new Date(now.getTime() + LOOK_EVERY)} where ${rowOf(host)} and check_at <= ${now}`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

async function lookAt(host: Due, options: LookAgainOptions, signal: AbortSignal): Promise<void> {
  const { db, clock, emit, checkPage, pagePictures } = options;
  const { merchant_id: merchantId, store_id: storeId, url } = host;
  const begun = clock();
  const caller = `copies:${storeId}`;
  const checked = await checkPage({ url, freshness: 'cached', caller, signal });
  const pictures =
    checked.observation.outcome.kind === 'page'
      ? await pagePictures?.get({ id: checked.report.id, wait: MAX_PICTURE_WAIT, caller, signal })
      : undefined;
  const couldSee =
    isConclusive(checked) &&
    // as long as a page is there, so is the name: if it was not told, names were not compared
    (!('name' in host.found) || checked.observation.outcome.kind !== 'page') &&
    // of pictures that could not be read, nothing is known
    (!('pictures' in host.found) ||
      pictures === undefined ||
      (pictures.state === 'done' && !pictures.findings.some(({ code }) => code === 'pictures_unread')));
  const now = clock();
  const justFound = new Date(begun.getTime() - JUST_FOUND);
  await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ is_gone: boolean; kinds: readonly string[] }>`
      with looked as (
        select case when last_at >= ${justFound} then 0 when ${couldSee} then missed + 1 else missed end as missed_now
        from copy_hosts where ${rowOf(host)} and state in ('new', 'reported'))
      update copy_hosts set checked_at = ${now}, missed = looked.missed_now,
        state = case when looked.missed_now >= ${MOST_MISSED} then 'gone' else state end,
        check_at = case when looked.missed_now >= ${MOST_MISSED} then null else check_at end
      from looked where ${rowOf(host)} and state in ('new', 'reported')
      returning state = 'gone' as is_gone, array(select jsonb_object_keys(found)) as kinds`.execute(trx);
    const [row] = rows;
    if (row?.is_gone !== true) return;
    const items = [{ host: host.host, url, kinds: row.kinds }];
    await emit(trx, 'recorded', [{ type: 'copy.host_gone', merchantId, storeId, items, at: now }]);
  });
}

/** Whether a page was seen, or there is none. Whoever keeps the service from its pages has not removed anything. */
function isConclusive({ observation: { outcome } }: PageCheckAnswer): boolean {
  if (outcome.kind === 'page') return true;
  const { code, detail } = outcome;
  return code === 'host_unknown' || (code === 'http_status' && /\b4(?:04|10)\b/.test(detail));
}

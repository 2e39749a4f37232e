import { RATE_WINDOW } from '@touchstone/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { KEPT_WINDOW, type ObserveSettings, observationSeconds } from './observe-settings.ts';
import { REPORT_SECONDS } from './page-check-store.ts';

/** Rows deleted by one statement, so that none holds its locks for long. */
const BATCH = 1_000;

/**
 * Deletes expired data: observations too old to be used again, reports older than 30 days, texts to which neither refers, leases
 * of dead nodes, and past rate windows. If reports exceed their total size, the oldest are deleted, too. Run periodically, by
 * any node.
 *
 * @returns rows deleted
 */
export async function purgePageChecks(db: Database, settings: ObserveSettings): Promise<number> {
  const cutoff = await cutoffFor(db, settings.keptInAll);
  let deleted = 0;
  if (cutoff !== null) {
    const moment = sql<Date>`${cutoff}::timestamptz`;
    deleted += await purgeBefore(db, 'page_checks', 'created_at', moment);
    // later reports keep their texts for longer than this
    const end = sql<Date>`${moment} + make_interval(secs => ${REPORT_SECONDS})`;
    deleted += await purgeBefore(
      db,
      'page_texts',
      'keep_until',
      end,
      sql`keep_until > now() + interval '2 days'`,
    );
  }
  const ages = [
    ['observations', 'fetched_at', observationSeconds(settings)],
    ['page_checks', 'created_at', REPORT_SECONDS],
    ['page_texts', 'keep_until', 0],
    ['fetch_leases', 'expires_at', 60],
    ['rate_windows', 'seen_at', 2 * KEPT_WINDOW],
    ['rate_windows', 'seen_at', 2 * RATE_WINDOW, sql`bucket not like 'kept:%'`],
  ] as const;
  for (const [table, column, seconds, only] of ages) {
    const moment = sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`;
    deleted += await purgeBefore(db, table, column, moment, only);
  }
  return deleted;
}

/** The latest time since which reports exceed `limit` bytes in total; `null`: they do not exceed it. */
async function cutoffFor(db: Database, limit: number): Promise<string | null> {
  // as text: a Date would lose the microseconds
  const { rows } = await sql<{ moment: string | null }>`
    select max(created_at)::text as moment
    from (select created_at, sum(bytes) over (order by created_at desc) as total from page_checks) as kept
    where total > ${limit}
      and (select sum(bytes) from page_checks) > ${limit}`.execute(db);
  return rows[0]?.moment ?? null;
}

type Purged = 'observations' | 'page_checks' | 'page_texts' | 'fetch_leases' | 'rate_windows';

async function purgeBefore(
  db: Database,
  table: Purged,
  column: string,
  moment: ReturnType<typeof sql<Date>>,
  only = sql`true`,
): Promise<number> {
  let deleted = 0;
  for (let rows = BATCH; rows === BATCH; deleted += rows) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${sql.ref(column)} <= ${moment} and ${only}
        limit ${BATCH} for update skip locked
      ))`.execute(db);
    rows = Number(numAffectedRows ?? 0n);
  }
  return deleted;
}

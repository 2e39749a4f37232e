import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import { RATE_WINDOW } from './settings.ts';

/** Days that a report can be read again (decision 17). */
export const PERMALINK_DAYS = 30;

/** Rows deleted by one statement, so that none holds its locks for long. */
const BATCH = 1_000;

/**
 * Deletes what nobody can ask for any more: observations too old to be used again, reports past their 30 days,
 * leases of dead nodes, windows that nobody hits. Run now and then, on any node.
 *
 * @returns rows deleted
 */
export async function purgeObservations(db: Database, cacheSeconds: number): Promise<number> {
  const ages = [
    ['observations', 'fetched_at', Math.max(cacheSeconds, 60) + 60],
    // the moment of a report that is given again is set forward once a day only
    ['page_checks', 'created_at', (PERMALINK_DAYS + 1) * 86_400],
    ['fetch_leases', 'expires_at', 60],
    ['rate_windows', 'seen_at', 2 * RATE_WINDOW],
  ] as const;
  let deleted = 0;
  for (const [table, column, seconds] of ages) {
    for (let rows = BATCH; rows === BATCH; deleted += rows)
      rows = await purgeBatch(db, table, column, seconds);
  }
  return deleted;
}

async function purgeBatch(db: Database, table: string, column: string, seconds: number): Promise<number> {
  const age = sql`clock_timestamp() - make_interval(secs => ${seconds})`;
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${sql.ref(column)} < ${age} limit ${BATCH} for update skip locked
    ))`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

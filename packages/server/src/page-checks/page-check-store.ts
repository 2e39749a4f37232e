import type { PageReport } from '@touchstone/page';
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import { ServiceError } from '../platform/errors.ts';
import { RATE_WINDOW } from './limits.ts';

/** Days that a report can be read again. */
export const PERMALINK_DAYS = 30;

/** Rows deleted by one statement, so that none holds its locks for long. */
const BATCH = 1_000;

/**
 * Keeps a report as it is about to be answered, for 30 days from now; the same report again takes up no room.
 *
 * @param beforeNew - asked before it takes up room, and throws where there is none
 */
export async function keepPageCheck(
  db: Database,
  report: PageReport,
  beforeNew: () => Promise<void>,
): Promise<void> {
  const known = await db
    .selectFrom('page_checks')
    .select('id')
    .where('id', '=', report.id)
    .executeTakeFirst();
  if (known === undefined) await beforeNew();
  await sql`
    insert into page_checks (id, report) values (${report.id}, ${JSON.stringify(report)})
    on conflict (id) do update set created_at = now()
      where page_checks.created_at < now() - interval '1 day'`.execute(db);
}

/**
 * The report of an earlier page check, as it was given then: a report never changes.
 *
 * @throws ServiceError page_check_unknown, also when it is older than 30 days
 */
export type GetPageCheck = (id: string) => Promise<PageReport>;

export function createGetPageCheck({ db }: { readonly db: Database }): GetPageCheck {
  return async (id) => {
    const row = await db
      .selectFrom('page_checks')
      .select('report')
      .where('id', '=', id)
      .where('created_at', '>', sql<Date>`now() - make_interval(days => ${PERMALINK_DAYS + 1})`)
      .executeTakeFirst();
    if (row === undefined) throw new ServiceError('page_check_unknown');
    return JSON.parse(row.report) as PageReport;
  };
}

/**
 * Deletes what nobody can ask for any more: observations too old to be used again, reports past their 30 days,
 * leases of dead nodes, rate windows long over. Run now and then, on any node.
 *
 * @returns rows deleted
 */
export async function purgePageChecks(db: Database, cacheSeconds: number): Promise<number> {
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

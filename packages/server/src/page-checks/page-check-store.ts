import type { PageReport } from '@touchstone/page';
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import { ServiceError } from '../platform/errors.ts';
import { PERMALINK_DAYS } from './purge-observations.ts';

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

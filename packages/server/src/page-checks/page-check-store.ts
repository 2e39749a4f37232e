import type { PageReport } from '@touchstone/page';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/database/database.ts';
import type { SpentRow } from '../platform/database/rate-windows.ts';
import { ServiceError } from '../platform/errors.ts';
import { type StorageUser, spendStorage, storageRefusal } from './fetch-budgets.ts';
import { keepText, packText, readText } from './page-texts.ts';

/** Days that a report can be read again. */
const PERMALINK_DAYS = 30;

/** Seconds; the moment of a report that is given again is set forward once a day only. */
export const REPORT_SECONDS = (PERMALINK_DAYS + 1) * 86_400;

/** Bytes of JSON from which on facts are kept once for all reports that state them. */
const SHARED_FROM = 500;
/** Bytes of a row beside what its columns hold, indexes included. */
const ROW_BYTES = 200;

/**
 * Keeps a report as it is about to be answered, for 30 days from now; the same report again takes up no room, nor do
 * facts that another report states.
 *
 * @param keeper - for whom: pays for what a new report takes up
 * @throws ServiceError fetch_budget_spent where there is no room, with the seconds to wait
 */
export type KeepPageCheck = (report: PageReport, keeper: StorageUser) => Promise<void>;

/** Milliseconds that a report is known to be kept without asking: no longer than any answer may be on its way. */
const KNOWN_FOR = 60_000;
const KNOWN = 20_000;

export function createKeepPageCheck(db: Database): KeepPageCheck {
  const kept = new LRUCache<string, true>({ max: KNOWN, ttl: KNOWN_FOR });
  return async (report, keeper) => {
    if (kept.has(report.id)) return;
    await keepPageCheck(db, report, keeper);
    kept.set(report.id, true);
  };
}

async function keepPageCheck(db: Database, report: PageReport, keeper: StorageUser): Promise<void> {
  const known = await db
    .selectFrom('page_checks')
    .select(sql<boolean>`created_at < now() - interval '1 day'`.as('aged'))
    .where('id', '=', report.id)
    .executeTakeFirst();
  if (known?.aged === false) return;
  const text = JSON.stringify(report.facts);
  const facts = text.length < SHARED_FROM ? null : await packText(text);
  const rest = JSON.stringify(facts === null ? report : { ...report, facts: null });
  const room = sql`from spent where refused is null`;
  const { rows } = await sql<SpentRow>`
    with ${spendStorage(ROW_BYTES + Buffer.byteLength(rest), facts, known === undefined ? keeper : null)},
      shared as (${facts === null ? sql`select` : keepText(facts, REPORT_SECONDS, room)}),
      kept as (
        insert into page_checks (id, report, facts, bytes)
        select ${report.id}::uuid, ${rest}, ${facts?.digest ?? null}::bytea, bytes ${room}
        on conflict (id) do update set created_at = now()
          where page_checks.created_at < now() - interval '1 day')
    select refused, reset from spent`.execute(db);
  const refusal = storageRefusal(rows[0]);
  if (refusal !== null) throw refusal;
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
      .select(['report', 'facts'])
      .where('id', '=', id)
      .where('created_at', '>', sql<Date>`now() - make_interval(secs => ${REPORT_SECONDS})`)
      .executeTakeFirst();
    if (row === undefined) throw new ServiceError('page_check_unknown');
    const report = JSON.parse(row.report) as PageReport;
    if (row.facts === null) return report;
    const text = await readText(db, row.facts);
    if (text === null) throw new ServiceError('page_check_unknown');
    // in the place where they stood: a report is given again as it was
    return { ...report, facts: JSON.parse(text) as PageReport['facts'] };
  };
}

import type { PageReport } from '@touchstone/page';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/database/database.ts';
import type { SpentRow } from '../../platform/database/rate-windows.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { type StorageUser, spendStorage, storageRefusal } from './fetch-budgets.ts';
import { keepText, packText, readText } from './page-texts.ts';

/** Days for which a permanent link is valid. */
const PERMALINK_DAYS = 30;

/** Seconds that a report is stored: a day longer, since its time is updated only once a day. */
export const REPORT_SECONDS = (PERMALINK_DAYS + 1) * 86_400;

/** Bytes of JSON from which facts are stored once for all reports that contain them. */
const SHARED_FROM = 500;
/** Overhead of a row in bytes, including indexes. */
const ROW_BYTES = 200;

/**
 * Stores a report before it is returned, for 30 days from now. Equal reports, and facts that occur in several reports, are
 * stored only once.
 *
 * @param keeper - the caller to whom a new report is charged
 * @throws ServiceError fetch_budget_spent, with the seconds to wait
 */
export type KeepPageCheck = (report: PageReport, keeper: StorageUser) => Promise<void>;

/** Milliseconds for which a process remembers that it stored a report. */
const RECENT_TTL = 60_000;
const MAX_RECENT = 20_000;

export function createKeepPageCheck(db: Database, secrets: DatabaseSecrets): KeepPageCheck {
  const recent = new LRUCache<string, true>({ max: MAX_RECENT, ttl: RECENT_TTL });
  return async (report, keeper) => {
    if (recent.has(report.id)) return;
    await keepPageCheck(db, secrets, report, keeper);
    recent.set(report.id, true);
  };
}

/** With the text to which the row refers, so that it cannot be replaced by another. */
const sealedAs = (id: string, facts: Buffer | null) =>
  `page check ${id} with ${facts?.toString('hex') ?? 'its own facts'}`;

async function keepPageCheck(
  db: Database,
  secrets: DatabaseSecrets,
  report: PageReport,
  keeper: StorageUser,
): Promise<void> {
  const known = await db
    .selectFrom('page_checks')
    .select(sql<boolean>`created_at < now() - interval '1 day'`.as('aged'))
    .where('id', '=', report.id)
    .executeTakeFirst();
  if (known?.aged === false) return;
  const text = JSON.stringify(report.facts);
  const facts = text.length < SHARED_FROM ? null : await packText(secrets, text);
  const rest = secrets.seal.seal(
    sealedAs(report.id, facts?.digest ?? null),
    Buffer.from(JSON.stringify(facts === null ? report : { ...report, facts: null })),
  );
  const room = sql`from spent where refused is null`;
  const { rows } = await sql<SpentRow>`
    with ${spendStorage(ROW_BYTES + rest.byteLength, facts, known === undefined ? keeper : null)},
      shared as (${facts === null ? sql`select` : keepText(facts, REPORT_SECONDS, room)}),
      kept as (
        insert into page_checks (id, report, facts, bytes)
        select ${report.id}::uuid, ${rest}::bytea, ${facts?.digest ?? null}::bytea, bytes ${room}
        on conflict (id) do update set created_at = now()
          where page_checks.created_at < now() - interval '1 day')
    select refused, reset from spent`.execute(db);
  const refusal = storageRefusal(rows[0]);
  if (refusal !== null) throw refusal;
}

/**
 * The report of an earlier page check, unchanged.
 *
 * @throws ServiceError page_check_unknown, also for a report older than 30 days
 */
export type GetPageCheck = (id: string) => Promise<PageReport>;

export function createGetPageCheck({
  db,
  secrets,
}: {
  readonly db: Database;
  readonly secrets: DatabaseSecrets;
}): GetPageCheck {
  return async (id) => {
    const row = await db
      .selectFrom('page_checks')
      .select(['id', 'report', 'facts'])
      .where('id', '=', id)
      .where('created_at', '>', sql<Date>`now() - make_interval(secs => ${REPORT_SECONDS})`)
      .executeTakeFirst();
    if (row === undefined) throw new ServiceError('page_check_unknown');
    const report = JSON.parse(
      secrets.seal.open(sealedAs(row.id, row.facts), row.report).toString(),
    ) as PageReport;
    if (row.facts === null) return report;
    const text = await readText(db, secrets, row.facts);
    if (text === null) throw new ServiceError('page_check_unknown');
    // `facts` is null in the stored report, which preserves the order of its members
    return { ...report, facts: JSON.parse(text) as PageReport['facts'] };
  };
}

import type { StatusLists } from '@touchstone/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { type Database, onlyRow } from '../../platform/database/database.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { MergeOptions } from './merge-lists.ts';
import { copyLists } from './reconcile-copies.ts';

interface Counts {
  readonly open: number;
  readonly closed: number;
  readonly invalid: number;
  readonly suspended: number;
  /** Seconds. */
  readonly late: number;
  /** Seconds since the oldest token was signed. */
  readonly age: number;
}

/** Milliseconds after its closing for which a list is published: its last proof has expired, and verifiers' clocks may differ. */
const KEPT = 9 * 86_400_000;

/** What the metrics tell, as it was last counted. */
export function statusMetrics(metrics: Metrics) {
  let counted: Counts | null = null;
  let seconds: number | null = null;
  metrics.labelledGauge(
    { name: 'status_lists', help: 'Status lists that are published.', label: 'state' },
    () => counted && { open: counted.open, closed: counted.closed },
  );
  metrics.labelledGauge(
    { name: 'status_entries', help: 'Entries of status lists that are not valid.', label: 'value' },
    () => counted && { invalid: counted.invalid, suspended: counted.suspended },
  );
  metrics.gauge(
    {
      name: 'status_change_age_seconds',
      help: 'How long the oldest change has been due that no status list shows yet.',
    },
    () => counted?.late ?? null,
  );
  metrics.gauge(
    { name: 'status_list_age_seconds', help: 'How long ago the oldest published status list was signed.' },
    () => counted?.age ?? null,
  );
  metrics.gauge(
    { name: 'status_publishing_seconds', help: 'How long the last publishing of status lists took.' },
    () => seconds,
  );
  return {
    onCounted: (counts: Counts) => {
      counted = counts;
    },
    onPublished: (took: number) => {
      seconds = took;
    },
  };
}

export async function countLists({
  db,
  clock,
  onCounted,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly onCounted: (counts: Counts) => void;
}): Promise<void> {
  const { rows } = await sql<Counts>`
    select count(*) filter (where closed_at is null)::int as open, count(*) filter (where closed_at is not null)::int as closed,
      coalesce(sum(invalid), 0)::int as invalid, coalesce(sum(suspended), 0)::int as suspended,
      coalesce(extract(epoch from ${clock()}::timestamptz - min(issued_at)), 0)::float8 as age,
      coalesce((select extract(epoch from now() - min(due_at)) from status_changes where due_at <= now()), 0)::float8 as late
    from status_list_allocations l left join status_list_tokens t on t.list_id = l.id`.execute(db);
  onCounted(onlyRow(rows));
}

/** Changes that are due are counted up to this many. */
const COUNTED = 10_000;

export async function readStatusLists(db: Database): Promise<StatusLists> {
  const { rows: lists } = await sql<{
    list: number;
    opened_at: Date;
    closed_at: Date | null;
    issued_at: Date;
    taken: number;
    withdrawn: number;
    suspended: number;
  }>`
    select l.id as list, l.opened_at, l.closed_at, t.issued_at, l.taken, t.invalid as withdrawn, t.suspended
    from status_list_allocations l join status_list_tokens t on t.list_id = l.id order by l.opened_at, l.id`.execute(
    db,
  );
  const { rows } = await sql<{ waiting: number; restored_at: Date | null }>`
    select (select count(*) from (select from status_changes where due_at <= now() limit ${COUNTED}) due)::int as waiting, restored_at
    from status_publisher`.execute(db);
  const { waiting, restored_at } = onlyRow(rows);
  return {
    lists: lists.map(({ opened_at, closed_at, issued_at, ...list }) => ({
      ...list,
      openedAt: opened_at.toISOString(),
      ...(closed_at === null ? {} : { closedAt: closed_at.toISOString() }),
      issuedAt: issued_at.toISOString(),
    })),
    waiting,
    ...(restored_at === null ? {} : { restoredAt: restored_at.toISOString() }),
  };
}

/** Deletes lists whose last proof has expired, their copies first: a copy of a list that the database does not know was forgotten by it. */
export async function deleteEndedLists(options: MergeOptions): Promise<number> {
  const { db, clock, copies } = options;
  const { rows } = await sql<{ id: number }>`
    select id from status_list_allocations where closed_at < ${new Date(clock().getTime() - KEPT)}`.execute(
    db,
  );
  for (const { id } of rows) await copies.remove(id);
  const ids = rows.map(({ id }) => id);
  await sql`delete from status_list_allocations where id = any(${ids}::integer[])`.execute(db);
  if (ids.length > 0) await copyLists(options, undefined);
  return ids.length;
}

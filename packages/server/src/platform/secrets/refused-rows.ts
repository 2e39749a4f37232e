import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import {
  type Authenticated,
  type OnRefusedRow,
  TRUSTED_TABLES,
  type TrustedRows,
  type TrustedTableName,
} from '../database/trusted-rows.ts';
import type { ScheduledTask } from '../jobs/scheduled-tasks.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** Rows that grant trust, but were not written by the service, as far as they are known. */
export interface RefusedRows {
  /** Logs each row once. */
  readonly onRefused: OnRefusedRow;
  /** A sentence for the operator about each table with such rows. */
  findings(): string[];
  /** Searches all tables, also for rows that nobody uses. */
  task(db: Database, rows: TrustedRows): ScheduledTask;
}

/** Rows that are remembered, so that a million forged ones take no memory. */
const MOST_REMEMBERED = 1_000;
/** Rows read by one statement. */
const BATCH = 500;
const EVERY = 3_600_000;

export function createRefusedRows(logger: Logger, metrics?: Metrics): RefusedRows {
  const known = new Set<string>();
  const counts: Record<string, number> = Object.fromEntries(
    Object.keys(TRUSTED_TABLES).map((name) => [name, 0]),
  );
  metrics?.labelledGauge(
    {
      name: 'refused_rows',
      help: 'Rows that grant trust and are not used because the service did not write them, since the start.',
      label: 'table',
    },
    () => counts,
  );
  return {
    onRefused(row) {
      const key = `${row.table} ${row.id} ${row.mac}`;
      if (known.has(key) || known.size >= MOST_REMEMBERED) return;
      known.add(key);
      counts[row.table] = (counts[row.table] ?? 0) + 1;
      logger.error(
        row,
        'a row that grants trust is not used: it was not written by this service, or changed since by somebody else',
      );
    },
    findings: () =>
      Object.entries(counts)
        .filter(([, count]) => count > 0)
        .map(([table, count]) => `${count} rows of ${table} are not used: the service did not write them`),
    task: (db, rows) => ({
      name: 'check rows that grant trust',
      every: EVERY,
      atStart: true,
      run: () => checkTrustedRows(db, rows),
    }),
  };
}

/** Reads all rows that grant trust. @returns how many are refused */
async function checkTrustedRows(db: Database, rows: TrustedRows): Promise<number> {
  let refused = 0;
  for (const name of Object.keys(TRUSTED_TABLES) as TrustedTableName[]) {
    for await (const row of allRows(db, name)) if (!rows.accepts(name, row)) refused += 1;
  }
  return refused;
}

/** All rows of a table, in batches, by the order of its primary key. */
export async function* allRows<Name extends TrustedTableName>(
  db: Database,
  name: Name,
): AsyncGenerator<Authenticated<Name>> {
  const { key } = TRUSTED_TABLES[name];
  const column = sql.ref(key);
  let last: unknown;
  for (;;) {
    const after: unknown = last;
    const { rows } = await sql<Authenticated<Name>>`
      select * from ${sql.table(name)} where ${after === undefined ? sql`true` : sql`${column} > ${after}`}
      order by ${column} limit ${BATCH}`.execute(db);
    yield* rows;
    if (rows.length < BATCH) return;
    last = (rows.at(-1) as Readonly<Record<string, unknown>>)[key];
  }
}
